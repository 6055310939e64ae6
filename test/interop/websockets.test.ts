import { once } from 'node:events';
import { IncomingMessage } from 'node:http';

import { ClientOptions, RawData, WebSocket } from 'ws';

import { useInProcess } from '../support/own-app.js';
import { ChatModule } from './chat.module.js';

const app = useInProcess({ CORS_ORIGINS: 'https://shop.example' }, undefined, [ChatModule]);
let viewer: Record<string, string>;
let session: string;

beforeAll(async () => {
  const { email, password } = await app.user('viewer');
  viewer = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` };
  const login = await app.anonymous.post('/api/v1/login', { email, password, scheme: 'session' });
  session = login.headers.get('set-cookie')!.split(';')[0]!;
});

const CHAT = '/api/v1/chat';

const connect = (path: string, headers: ClientOptions['headers']): WebSocket =>
  new WebSocket(app.baseUrl.replace('http', 'ws') + path, { headers });

/** The first message of each of the given events. */
async function open(headers: ClientOptions['headers'] = viewer): Promise<{
  socket: WebSocket;
  next: () => Promise<unknown>;
}> {
  const socket = connect(CHAT, headers);
  const messages: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  socket.on('message', (data: RawData) => {
    const message = JSON.parse((data as Buffer).toString()) as unknown;
    const take = waiting.shift();
    if (take) take(message);
    else messages.push(message);
  });
  await once(socket, 'open');
  const next = (): Promise<unknown> =>
    messages.length > 0 ? Promise.resolve(messages.shift()) : new Promise((resolve) => waiting.push(resolve));
  return { socket, next };
}

/** The response to an upgrade that is refused. */
async function refusal(path: string, headers: ClientOptions['headers']): Promise<[number, unknown]> {
  const socket = connect(path, headers);
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return [response.statusCode ?? 0, (JSON.parse(text) as { error: { code: string } }).error.code];
}

describe('a WebSocket gateway', () => {
  it('knows who connects, and validates and answers messages', async () => {
    const { socket, next } = await open();
    expect(await next()).toEqual({ event: 'hello', data: { role: 'viewer', path: CHAT } });
    socket.send(JSON.stringify({ event: 'say', data: { text: 'hi', room: 3 } }));
    expect(await next()).toEqual({
      event: 'said',
      data: { text: 'hi', room: 3, by: 'viewer', is: 'SaidDto' },
    });
    socket.send(JSON.stringify({ event: 'say', data: { text: '', room: 'x', secret: 1 } }));
    expect(await next()).toMatchObject({
      event: 'exception',
      data: {
        code: 'VALIDATION_FAILED',
        status: 400,
        details: expect.arrayContaining([
          expect.objectContaining({ field: 'room', code: 'WRONG_TYPE' }),
          expect.objectContaining({ field: 'secret', code: 'UNKNOWN_FIELD' }),
          expect.objectContaining({ field: 'text', code: 'TOO_SHORT' }),
        ]) as unknown,
      },
    });
    socket.close();
  });

  it.each([
    ['error', { code: 'PRODUCT_NOT_FOUND', message: 'There is no such product.', status: 404 }],
    ['socket', { status: 'error', message: 'Not in this room.' }],
    ['bug', { status: 'error', message: 'Internal server error' }],
  ])('answers a handler that throws, without details of a bug: %s', async (how, data) => {
    const { socket, next } = await open();
    await next();
    socket.send(JSON.stringify({ event: 'fail', data: { how } }));
    expect(await next()).toMatchObject({ event: 'exception', data });
    socket.close();
  });

  it('admits only callers with credentials and the permission, before the upgrade', async () => {
    expect(await refusal(CHAT, {})).toEqual([401, 'AUTHENTICATION_REQUIRED']);
    expect(await refusal(CHAT, { authorization: 'Bearer x' })).toEqual([401, 'INVALID_TOKEN']);
    expect(await refusal('/api/v1/moderation', viewer)).toEqual([403, 'PERMISSION_DENIED']);
    expect(await refusal('/api/v1/nothing', viewer)).toEqual([404, 'ROUTE_NOT_FOUND']);
    expect(await refusal(`${CHAT}?room=1`, viewer)).toEqual([400, 'INVALID_QUERY']);
  });

  it('accepts cookies only from pages of the same origin and of allowed origins', async () => {
    for (const origin of [app.baseUrl, 'https://shop.example']) {
      const { socket } = await open({ cookie: session, origin });
      socket.close();
    }
    expect(await refusal(CHAT, { cookie: session, origin: 'https://evil.example' })).toEqual([
      403,
      'CROSS_ORIGIN_REJECTED',
    ]);
    expect(await refusal(CHAT, { cookie: session })).toEqual([403, 'CROSS_ORIGIN_REJECTED']);
  });

  it('answers a request that is not an upgrade, or is one to another protocol', async () => {
    const plain = await fetch(app.baseUrl + CHAT, { headers: viewer });
    expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket']);
    expect(await plain.json()).toMatchObject({ error: { code: 'UPGRADE_REQUIRED' } });
  });

  it('disconnects a client that sends too much at once', async () => {
    const { socket } = await open();
    socket.on('error', () => undefined);
    socket.send('x'.repeat(65 * 1024));
    expect(((await once(socket, 'close')) as number[])[0]).toBe(1009);
  });
});
