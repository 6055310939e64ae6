import { EventEmitter, once } from 'node:events';
import { AddressInfo, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import { fastify, FastifyInstance, FastifyRequest } from 'fastify';

import { registerJsonBody } from './body/json-body.js';
import { BodyTurns } from './body-turns.js';

const LARGE = 800 * 1024;
const callerOf = ({ headers }: FastifyRequest): string => String(headers['x-caller']);

/** As much of a request as turns look at. */
interface Upload {
  readonly request: FastifyRequest;
  /** The outcome of its wait to be read. */
  begun: 'not yet' | 'read' | 'refused';
}

class Uploads {
  readonly turns = new BodyTurns(callerOf);
  private hook: ((...of: unknown[]) => void) | undefined;

  constructor() {
    const route = { method: 'POST', preParsing: undefined as unknown };
    this.turns.register({ addHook: (_name: string, add: (r: object) => void) => add(route) } as never);
    [this.hook] = route.preParsing as [(...of: unknown[]) => void];
  }

  begin(caller: string, bytes = LARGE): Upload {
    const raw = Object.assign(new EventEmitter(), { httpVersionMajor: 1 });
    const headers = { 'x-caller': caller, 'content-length': String(bytes) };
    const request = { raw, headers, routeOptions: { bodyLimit: 1024 * 1024 } } as never;
    const upload: Upload = { request, begun: 'not yet' };
    this.hook?.(request, {}, raw, (error: unknown) => (upload.begun = error ? 'refused' : 'read'));
    return upload;
  }

  /** All of it came; `parse` runs when it is its turn. */
  end({ request }: Upload, parse: () => void): void {
    this.turns.inTurn(request, parse);
    request.raw.emit('close');
  }
}

const read = (uploads: readonly Upload[]): number => uploads.filter(({ begun }) => begun === 'read').length;

describe('F13: large bodies', () => {
  it('of one caller are read a few at once, the others when those are done', async () => {
    const uploads = new Uploads();
    const many = Array.from({ length: 50 }, () => uploads.begin('a'));
    expect(read(many)).toBe(10);
    let parsed = 0;
    uploads.end(many[0]!, () => parsed++);
    // It holds its memory until it was parsed.
    expect([read(many), parsed]).toEqual([10, 0]);
    await turn();
    expect([read(many), parsed]).toEqual([11, 1]);
    // One whose client is gone makes room too, whether it was read or waited.
    many[1]!.request.raw.emit('close');
    many[49]!.request.raw.emit('close');
    expect(read(many)).toBe(12);
  });

  it('do not keep other callers waiting', () => {
    const uploads = new Uploads();
    for (let i = 0; i < 50; i++) uploads.begin('a');
    expect(uploads.begin('b').begun).toBe('read');
    expect(uploads.begin('a', 10_000).begun).toBe('read');
  });

  it('of all callers together are bounded: further ones are refused', () => {
    const uploads = new Uploads();
    const all = Array.from({ length: 100 }, (_, i) => uploads.begin(`caller ${i}`));
    expect(read(all)).toBe(81);
    expect(all.at(-1)?.begun).toBe('refused');
    for (const { request } of all) request.raw.emit('close');
    expect(uploads.begin('late').begun).toBe('read');
  });

  it('are parsed one in a turn of the event loop, callers in rotation', async () => {
    const uploads = new Uploads();
    const order: string[] = [];
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) {
      uploads.end(uploads.begin(name[0]!), () => order.push(name));
    }
    uploads.end(uploads.begin('d', 1_000), () => order.push('small'));
    expect(order).toEqual(['small']);
    for (let i = 1; i <= 6; i++) {
      await turn();
      expect(order).toHaveLength(1 + i);
    }
    expect(order).toEqual(['small', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });
});

it('F13: a request of HTTP/2 without a body takes no turn', () => {
  const route = { method: 'DELETE', preParsing: undefined as unknown };
  new BodyTurns(callerOf).register({
    addHook: (_name: string, add: (of: object) => void) => {
      add(route);
    },
  } as never);
  const [hook] = route.preParsing as [(...of: unknown[]) => void];
  let begun = 0;
  for (let i = 0; i < 100; i++) {
    const stream = { endAfterHeaders: true };
    const raw = Object.assign(new EventEmitter(), { method: 'DELETE', httpVersionMajor: 2, stream });
    hook(
      { raw, headers: { 'x-caller': 'a' }, routeOptions: { bodyLimit: 1024 * 1024 } },
      {},
      raw,
      () => begun++,
    );
  }
  expect(begun).toBe(100);
});

describe('on a server', () => {
  let server: FastifyInstance;
  beforeAll(async () => {
    server = fastify();
    const turns = new BodyTurns(callerOf);
    turns.register(server);
    registerJsonBody(server, undefined, turns.inTurn);
    server.post('/', (request) => ({ length: (request.body as { text: string }).text.length }));
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  const post = async (text: string, chunked: boolean): Promise<string> => {
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const body = JSON.stringify({ text });
    const head = `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n`;
    socket.write(
      chunked
        ? `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
        : `${head}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    let answer = '';
    for await (const data of socket) answer += String(data);
    return answer.split('\r\n\r\n')[1] ?? '';
  };

  it.each([false, true])('all come through (chunked: %p)', async (chunked) => {
    const lengths = [10, 100_000, LARGE, 70_000, 5];
    const all = [...lengths, ...lengths, ...lengths, ...lengths];
    const answers = await Promise.all(all.map((length) => post('x'.repeat(length), chunked)));
    expect(answers).toEqual(all.map((length) => JSON.stringify({ length })));
  });
});
