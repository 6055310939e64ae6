import { createServer, Server, ServerResponse } from 'node:http';
import { AddressInfo, connect, Socket } from 'node:net';

import { PreparedHeaders, PreparedResponse } from './prepared-response.js';

const FIXED = new PreparedHeaders({
  vary: 'Accept',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
});

let server: Server;
let answer: (response: PreparedResponse) => void;

/** The headers of a response, as they came: a repeated one as often as it was sent. */
async function headersAfter(act: (response: PreparedResponse) => void): Promise<Record<string, string>> {
  answer = (response) => {
    response.prepare(FIXED);
    act(response);
  };
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const ofNode = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);
  return Object.fromEntries([...headers].filter(([name]) => !ofNode.has(name)));
}

beforeAll(async () => {
  server = createServer(
    { ServerResponse: PreparedResponse as unknown as typeof ServerResponse },
    (_request, response) => {
      answer(response as PreparedResponse);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => server.close());

describe('headers prepared for a response', () => {
  it('are sent with what the response sets itself', async () => {
    const headers = await headersAfter((response) => response.writeHead(200, { etag: '"1"' }).end('{}'));
    expect(headers).toEqual({ ...FIXED.values, etag: '"1"' });
  });

  it.each<[string, (response: PreparedResponse) => void]>([
    ['an object', (response) => response.writeHead(200, { 'X-Frame-Options': 'SAMEORIGIN' }).end()],
    ['names and values', (response) => response.writeHead(200, ['X-Frame-Options', 'SAMEORIGIN']).end()],
    ['pairs', (response) => response.writeHead(200, [['X-Frame-Options', 'SAMEORIGIN']] as never).end()],
    ['setHeader()', (response) => response.setHeader('X-Frame-Options', 'SAMEORIGIN').end()],
    [
      'setHeader() before writeHead()',
      (response) =>
        response.setHeader('x-other', '1').writeHead(200, { 'x-frame-options': 'SAMEORIGIN' }).end(),
    ],
  ])('are replaced by %s, not repeated', async (_, act) => {
    const headers = await headersAfter(act);
    expect(headers).toMatchObject({ ...FIXED.values, 'x-frame-options': 'SAMEORIGIN' });
  });

  it('can be read, added to and removed', async () => {
    const headers = await headersAfter((response) => {
      expect(response.getHeader('Vary')).toBe('Accept');
      expect(response.hasHeader('vary')).toBe(true);
      expect(response.getHeaders()).toEqual(FIXED.values);
      response.appendHeader('Vary', 'Origin');
      response.removeHeader('X-Frame-Options');
      expect(response.hasHeader('x-frame-options')).toBe(false);
      expect(response.getHeaderNames().toSorted()).toEqual(['referrer-policy', 'vary']);
      response.end();
    });
    expect(headers).toEqual({ vary: 'Accept, Origin', 'referrer-policy': 'no-referrer' });
  });

  it.each(['a\r\nset-cookie: b=c', 'a\nb', 'a\0', 'Ł'])(
    'let no value of others through that is none: %j',
    async (value) => {
      const codes: unknown[] = [];
      const headers = await headersAfter((response) => {
        for (const name of ['etag', 'location', 'x-of-a-module'])
          try {
            response.writeHead(200, { [name]: value });
          } catch (error) {
            codes.push((error as NodeJS.ErrnoException).code);
          }
        response.end();
      });
      expect(codes).toEqual(Array(3).fill('ERR_INVALID_CHAR'));
      expect(headers).toEqual(FIXED.values);
    },
  );

  it('are sent with values of each kind, and what they say of the connection holds', async () => {
    const headers = await headersAfter((response) => {
      const values = {
        'x-ratelimit-limit': 5,
        link: ['</a>', '</b>'],
        etag: '"\u00e4"',
        connection: 'close',
      };
      response.writeHead(200, { ...values, 'set-cookie': ['a=1', 'b=2'], 'content-length': 2 }).end('{}');
      expect((response as unknown as { _last: boolean })._last).toBe(true);
    });
    expect(headers).toEqual({
      ...FIXED.values,
      'x-ratelimit-limit': '5',
      link: '</a>, </b>',
      etag: '"\u00e4"',
      'set-cookie': 'b=2',
    });
  });

  it('must be such as can be sent', () => {
    expect(() => new PreparedHeaders({ 'x-name': 'a\r\nset-cookie: b=c' })).toThrow(/Invalid character/);
    expect(() => new PreparedHeaders({ 'x name': 'a' })).toThrow(/valid HTTP token/);
  });
});

describe('a body that is one text', () => {
  const respond = async (
    act: (response: PreparedResponse) => void,
    method = 'GET',
  ): Promise<{ status: number; body: string; length: string | null }> => {
    answer = act;
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}`, { method });
    const { status, headers } = response;
    return { status, body: await response.text(), length: headers.get('content-length') };
  };
  const withLength = (body: string): Record<string, number> => ({
    'content-length': Buffer.byteLength(body),
  });

  it.each(['', '{"name":"Lamp"}', '{"name":"Lämp"}', '{"name":"灯"}', '\u0080\u00ff', 'x'.repeat(200_000)])(
    'arrives as it is: %#',
    async (body) => {
      const answers = [
        await respond((response) => response.writeHead(200, withLength(body)).end(body)),
        await respond((response) => response.writeHead(200, withLength(body)).end(body, 'utf8')),
        await respond((response) => response.writeHead(200, withLength(body)).end(Buffer.from(body))),
        await respond((response) => response.end(body)),
      ];
      for (const each of answers) expect(each).toMatchObject({ status: 200, body });
    },
  );

  it('is left out where there is none to send, and comes whole after a part that was sent', async () => {
    const body = '{"name":"Lamp"}';
    const whole = (status: number) => (response: PreparedResponse) =>
      response.writeHead(status, withLength(body)).end(body);
    expect(await respond(whole(200), 'HEAD')).toEqual({ status: 200, body: '', length: '15' });
    expect(await respond(whole(304))).toMatchObject({ status: 304, body: '' });
    expect(
      await respond((response) => {
        response.writeHead(200, withLength(body)).write(body.slice(0, 5));
        response.end(body.slice(5));
      }),
    ).toMatchObject({ body });
    expect(await respond((response) => response.writeHead(200).end(body))).toMatchObject({ body });
  });

  it('is handed to the connection together with the head', async () => {
    let writes = 0;
    await respond((response) => {
      const socket = response.socket as Socket;
      const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean;
      socket.write = (...parameters: unknown[]) => {
        writes++;
        return write(...parameters);
      };
      response.writeHead(200, withLength('{}')).end('{}');
    });
    expect(writes).toBe(1);
  });

  it('tells when it was sent, and answers pipelined requests in their order', async () => {
    let ended = 0;
    answer = (response) => {
      response.on('finish', () => ended++);
      const body = response.req.url ?? '';
      setTimeout(() => response.writeHead(200, withLength(body)).end(body), body === '/1' ? 30 : 0);
    };
    const { port } = server.address() as AddressInfo;
    const bytes = await new Promise<string>((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
        );
      });
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    });
    expect(bytes.match(/^\/\d(?=HTTP|$)/gm)).toEqual(['/1', '/2']);
    expect(ended).toBe(2);
  });
});
