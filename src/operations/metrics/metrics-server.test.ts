import { once } from 'node:events';
import { connect, Socket } from 'node:net';

import { MetricsServer } from './metrics-server.js';

/** More than sockets take from a server whose client does not read. */
const text = 'x'.repeat(50_000_000);
const REQUEST = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n';

describe('O1 the port of the metrics', () => {
  const sockets: Socket[] = [];
  let server: MetricsServer;
  let url: URL;
  let answer: () => Promise<string>;
  beforeEach(async () => {
    answer = () => Promise.resolve('a_metric 1\n');
    const source = { contentType: 'text/plain', text: () => answer() };
    server = new MetricsServer(source, { requestMs: 300, answerMs: 300, checkMs: 50 });
    url = new URL(await server.listen(0, '127.0.0.1'));
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.close();
  });

  async function open(sent = ''): Promise<Socket> {
    const socket = connect(Number(url.port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(sent);
    return socket;
  }
  const closed = (socket: Socket): Promise<unknown> => once(socket.resume(), 'close');

  it.each([
    '',
    'GET /metrics HTTP/1.1\r\nHost:',
    'POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n',
  ])('is closed to a client that sends %j and no more', async (sent) => {
    await closed(await open(sent));
  });

  it('is closed to a client that does not read its answer', async () => {
    answer = () => Promise.resolve(text);
    const socket = await open(REQUEST);
    await once(socket, 'readable');
    // Nothing is read meanwhile: the connection ends although bytes wait.
    await new Promise((resolve) => setTimeout(resolve, 600));
    let read = 0;
    socket.on('data', (bytes) => (read += bytes.length));
    await closed(socket);
    expect(read).toBeLessThan(text.length);
  });

  it('is closed to a client whose answer is not ready in time', async () => {
    answer = () => new Promise(() => undefined);
    await closed(await open(REQUEST));
  });

  it('makes room for the next scrape where idle connections take all there is', async () => {
    for (let i = 0; i < 32; i++) await once(await open(REQUEST), 'data');
    const scrape = async (): Promise<string> => {
      const socket = await open(REQUEST);
      const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as unknown[];
      return String(answer);
    };
    // The connection that there is no room for is dropped; the next one is not.
    await scrape();
    expect(await scrape()).toMatch(/^HTTP\/1\.1 200/);
  });
});
