import { once } from 'node:events';
import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';

import { Connections } from './connections.js';
import { refuseLate } from './late-request.js';

const TIMEOUT_MS = 200;

/**
 * A client in a thread of its own: sends the second piece once the server stands still, and lets it go on after the
 * time-out; the third, where there is one, a while after the first answer. It tells the status line of the last one.
 */
const CLIENT = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, pieces: [first, second, third], flags } } = require('node:worker_threads');
  const socket = connect(port, '127.0.0.1', () => socket.write(first));
  let answer = '';
  let isMore = third !== undefined;
  socket.on('data', (data) => {
    answer += data.toString('latin1');
    if (!answer.includes('\\r\\n\\r\\n')) return;
    const [statusLine] = answer.split('\\r\\n');
    answer = '';
    if (isMore && statusLine.includes('200')) {
      isMore = false;
      setTimeout(() => socket.write(third), 600);
      return;
    }
    parentPort.postMessage(statusLine);
    socket.destroy();
  });
  const whenStill = setInterval(() => {
    if (Atomics.load(flags, 0) !== 1) return;
    clearInterval(whenStill);
    const goOn = () => setTimeout(() => {
      Atomics.store(flags, 0, 2);
      Atomics.notify(flags, 0);
    }, ${TIMEOUT_MS * 2});
    if (second === '') goOn();
    else socket.write(second, goOn);
  }, 5);
`;

const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n';

describe('F11 a request that came while the process stood still', () => {
  let server: Server;
  let flags: Int32Array;

  beforeEach(async () => {
    flags = new Int32Array(new SharedArrayBuffer(4));
    const connections = new Connections(() => undefined);
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      connections.begin(request, response);
      request.resume().on('end', () => response.end());
    };
    const timeouts = { requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS };
    server = createServer({ ...timeouts, connectionsCheckingInterval: 20 }, serve);
    server.on('connection', (socket) => {
      connections.open(socket);
      // The first piece is read in this turn or the next ones.
      socket.once('data', () => setImmediate(standStill));
    });
    server.on('clientError', (_error, socket) => {
      refuseLate(socket as never, () => socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const standStill = (): void => {
    Atomics.store(flags, 0, 1);
    Atomics.wait(flags, 0, 1);
  };

  async function ask(...pieces: [first: string, second: string, third?: string]): Promise<unknown> {
    const { port } = server.address() as AddressInfo;
    const client = new Worker(CLIENT, { eval: true, workerData: { port, pieces, flags } });
    const [statusLine] = (await once(client, 'message')) as unknown[];
    await client.terminate();
    return statusLine;
  }

  it.each([
    ['its body', `${HEAD}\r\n`, 'body'],
    ['the rest of its head', HEAD, '\r\nbody'],
  ])('is answered where it is %s that came', async (_what, first, second) => {
    expect(await ask(first, second)).toBe('HTTP/1.1 200 OK');
  });

  it('is not mistaken for the one after it, which has only begun', async () => {
    server.once('clientError', () => Object.assign(server, { requestTimeout: 0, headersTimeout: 0 }));
    expect(await ask(`${HEAD}\r\n`, `body${HEAD}\r\nbo`, 'dy')).toBe('HTTP/1.1 200 OK');
  });

  it.each([
    ['its body', `${HEAD}\r\n`, ''],
    ['the rest of its head', HEAD, ''],
    ['a part of its body', `${HEAD}\r\n`, 'bo'],
  ])('is refused where %s is missing', async (_what, first, second) => {
    expect(await ask(first, second)).toBe('HTTP/1.1 408 Request Timeout');
  });
});
