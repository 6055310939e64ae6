import { once } from 'node:events';
import { createServer as createHttpServer, IncomingMessage, request } from 'node:http';
import { ClientHttp2Session, connect, createServer, Http2Server, Http2ServerRequest } from 'node:http2';
import { AddressInfo } from 'node:net';

import { cutBeyond, fail } from './arrival.js';

const MAX_BYTES = 100_000;

describe('a body over HTTP/2', () => {
  let server: Http2Server;
  let client: ClientHttp2Session;
  let prepare: (request: Http2ServerRequest) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      let bytes = 0;
      let error: Error | undefined;
      request.on('data', ({ length }: Buffer) => (bytes += length));
      request.on('error', (failure) => (error = failure));
      // Readers of forms answer only then, and not at once.
      request.on('end', () => setTimeout(() => response.end(error?.message ?? String(bytes)), 20));
      prepare(request);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(() => {
    client.destroy();
    server.close();
  });

  const send = (body: Buffer): ReturnType<ClientHttp2Session['request']> => {
    const stream = client.request({ ':method': 'POST' });
    stream.write(body);
    return stream;
  };
  const answerOf = async (stream: ReturnType<ClientHttp2Session['request']>): Promise<string> => {
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return text;
  };

  it('is bounded by its own bytes, whatever comes beside it', async () => {
    prepare = (request) => {
      cutBeyond(request, MAX_BYTES, () => new Error('too large'));
    };
    const slow = send(Buffer.alloc(1_000));
    const half = Buffer.alloc(MAX_BYTES / 2);
    for (let i = 0; i < 8; i++) expect(await answerOf(send(half).end(half))).toBe(String(MAX_BYTES));
    expect(await answerOf(slow.end(half))).toBe(String(1_000 + half.length));
    expect(await answerOf(send(half).end(Buffer.alloc(MAX_BYTES)))).toBe('too large');
  });

  it('ends with an error that is given to it, though its client goes on', async () => {
    prepare = (request) => {
      request.once('data', () => {
        fail(request, new Error('too late'));
      });
    };
    const stream = send(Buffer.alloc(1_000));
    const more = setInterval(() => stream.write('x'), 5);
    expect(await answerOf(stream)).toBe('too late');
    clearInterval(more);
    stream.close();
  });
});

describe('a body over HTTP/1.1', () => {
  it('ends with its connection where it is too large', async () => {
    const server = createHttpServer((request, response) => {
      cutBeyond(request, MAX_BYTES, () => new Error('too large'));
      request.resume().on('end', () => response.end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const post = async (bytes: number): Promise<number | undefined> => {
      const sent = request({ port, host: '127.0.0.1', method: 'POST' });
      sent.write(Buffer.alloc(bytes));
      sent.end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect(await post(MAX_BYTES)).toBe(200);
    await expect(post(MAX_BYTES + 1)).rejects.toThrow(/ECONNRESET|EPIPE|socket hang up/);
    server.close();
  });
});
