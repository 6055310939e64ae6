import { once } from 'node:events';
import { ClientHttp2Session, connect, createServer, Http2Server, ServerHttp2Session } from 'node:http2';
import { AddressInfo, connect as connectSocket, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Connections } from './connections.js';
import { drain } from './drain.js';
import { limitSession, noteOpen } from './http2-sessions.js';

const LINGER_MS = 100;
const LARGE = Buffer.alloc(32 * 1024 * 1024);

describe('a session of HTTP/2', () => {
  let server: Http2Server;
  let connections: Connections;
  let socket: Socket;
  let session: ServerHttp2Session;
  let client: ClientHttp2Session;
  let ofClient: Socket;

  beforeEach(async () => {
    connections = new Connections(() => undefined);
    server = createServer();
    server.prependListener('connection', (opened: Socket) => {
      connections.openRaw(opened);
      socket = opened;
    });
    server.on('session', (opened) => {
      session = opened;
      limitSession(opened, connections.openSession(opened), LINGER_MS);
      connections.openTls(socket);
    });
    server.on('stream', (stream, { ':path': path }) => {
      noteOpen(stream);
      stream.on('error', () => undefined);
      stream.respond();
      if (path === '/large') stream.end(LARGE);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    ofClient = connectSocket(port, '127.0.0.1');
    const settings = { initialWindowSize: 2 ** 30 };
    client = connect(`http://127.0.0.1:${port}`, { createConnection: () => ofClient, settings });
    client.on('error', () => undefined);
    await once(client, 'connect');
    client.setLocalWindowSize(2 ** 30);
  });
  afterEach(() => {
    client.destroy();
    ofClient.destroy();
    server.close();
  });

  const ask = async (path: string): Promise<ReturnType<ClientHttp2Session['request']>> => {
    const stream = client.request({ ':path': path });
    stream.on('error', () => undefined);
    await once(stream, 'response');
    return stream;
  };

  /** A client that reads nothing of an answer, which fills the buffers of the system. */
  const stopReading = async (): Promise<void> => {
    await ask('/large');
    ofClient.pause();
    // The client of `node:http2` reads past the stream of its socket.
    (ofClient as unknown as { _handle: { readStop(): void } })._handle.readStop();
    await sleep(100);
  };

  it('goes on while an answer is being made, however long that takes, and ends when idle', async () => {
    const stream = await ask('/silent');
    session.emit('timeout');
    await sleep(50);
    expect([session.closed, stream.closed]).toEqual([false, false]);
    stream.close();
    await once(stream, 'close');
    await sleep(50);
    session.emit('timeout');
    expect(session.closed).toBe(true);
  });

  it('takes its connection along when it ends, though the client does not read', async () => {
    await stopReading();
    const closed = once(socket, 'close', { signal: AbortSignal.timeout(5_000) });
    session.destroy();
    await sleep(LINGER_MS / 2);
    expect(socket.destroyed).toBe(false);
    await closed;
  });

  it('leaves no connection to a server that has stopped', async () => {
    await stopReading();
    const closed = once(server, 'close', { signal: AbortSignal.timeout(5_000) });
    await drain(server, connections, { withinMs: 50, timeOut: () => undefined });
    expect(socket.destroyed).toBe(true);
    await closed;
  });
});
