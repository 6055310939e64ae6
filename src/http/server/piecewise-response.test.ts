import { once } from 'node:events';
import { ClientHttp2Session, connect, createServer, Http2Server, Http2ServerResponse } from 'node:http2';
import { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

import { PiecewiseResponse } from './piecewise-response.js';

const WINDOW = 100_000;
const BODY = 'ä'.repeat(150_000);

describe('a response that is sent in pieces', () => {
  let server: Http2Server;
  let client: ClientHttp2Session;
  let answer: (response: PiecewiseResponse) => void;

  beforeAll(async () => {
    const Http2Response = PiecewiseResponse as unknown as typeof Http2ServerResponse;
    server = createServer({ Http2ServerResponse: Http2Response }, (_request, response) => {
      response.on('error', () => undefined);
      answer(response as PiecewiseResponse);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = connect(url, { settings: { initialWindowSize: WINDOW } });
  });
  afterAll(() => {
    client.destroy();
    server.close();
  });

  /** The text that comes, or the code of the error that it ends with. */
  async function received(by: (response: PiecewiseResponse) => void): Promise<string> {
    answer = by;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of client.request()) chunks.push(chunk as Buffer);
    } catch (error) {
      return (error as { code: string }).code;
    }
    return Buffer.concat(chunks).toString();
  }

  it.each<[string, (response: PiecewiseResponse) => unknown, string]>([
    ['a text', (response) => response.end(BODY), BODY],
    ['bytes', (response) => response.end(new Uint8Array(50_000).fill(97)), 'a'.repeat(50_000)],
    ['an encoded text', (response) => response.end('61'.repeat(50_000), 'hex'), 'a'.repeat(50_000)],
    ['nothing', (response) => response.end(), ''],
    ['a stream', (response) => Readable.from([BODY, '', 'x', BODY]).pipe(response), `${BODY}x${BODY}`],
    ['what is ended twice', (response) => response.end(BODY).end(), BODY],
    [
      'what is written at once',
      (response) => {
        for (let i = 0; i < 100; i++) response.write('x'.repeat(1_000));
        response.end(BODY);
      },
      'x'.repeat(100_000) + BODY,
    ],
  ])('is whole: %s', async (_name, by, body) => {
    const text = await received(by);
    expect(text === body).toBe(true);
  });

  it('takes nothing more once it has ended', async () => {
    const code = await received((response) => {
      response.end(BODY);
      response.write('more');
    });
    expect(code).toBe('ERR_HTTP2_STREAM_ERROR');
  });

  it('tells when it has ended', async () => {
    let ended = 0;
    await received((response) => response.end(BODY, () => ended++));
    expect(ended).toBe(1);
  });

  it.each<[string, (response: PiecewiseResponse) => unknown]>([
    ['a body', (response) => response.end(BODY)],
    ['a chunk of a stream', (response) => response.write(BODY)],
  ])('tells how much of %s its client takes', async (_name, by) => {
    let response: PiecewiseResponse | undefined;
    answer = (asked) => by((response = asked));
    const stream = client.request().on('error', () => undefined);
    await once(stream, 'response');
    // The client reads none: it has the first pieces, as many as its window lets out.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(response?.piecesSent).toBe(Math.floor(WINDOW / 16_384));
    stream.close();
  });
});
