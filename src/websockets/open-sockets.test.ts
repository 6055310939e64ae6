import { once } from 'node:events';
import { AddressInfo } from 'node:net';

import { WebSocket, WebSocketServer } from 'ws';

import { GOING_AWAY, OpenSockets, POLICY_VIOLATION } from './open-sockets.js';

describe('open WebSockets', () => {
  const stopping = new AbortController();
  const sockets = new OpenSockets(stopping.signal);
  let server: WebSocketServer;
  beforeAll(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
  });

  /** A client and what became of its connection. */
  async function connect(
    check: () => Promise<boolean>,
    autoPong = true,
  ): Promise<{ closed: Promise<number>; socket: WebSocket }> {
    const { port } = server.address() as AddressInfo;
    const connected = once(server, 'connection');
    const client = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
    const closed = once(client, 'close').then(([code]) => code as number);
    const [socket] = (await connected) as [WebSocket];
    sockets.add(socket, check);
    return { closed, socket };
  }
  const good = (): Promise<boolean> => Promise.resolve(true);
  const lookFor = (seconds: number): void => {
    for (let i = 0; i < seconds / 5; i++) sockets.look();
  };

  it('end with the credentials that they came with', async () => {
    const { closed, socket } = await connect(() => Promise.resolve(false));
    lookFor(30);
    await once(socket, 'pong');
    lookFor(30);
    expect(await closed).toBe(POLICY_VIOLATION);
  });

  it('are cut where their client does not answer', async () => {
    const { closed } = await connect(good, false);
    lookFor(60);
    expect(await closed).toBe(1006);
  });

  it('are closed when the server stops', async () => {
    const { closed } = await connect(good);
    stopping.abort();
    expect(await closed).toBe(GOING_AWAY);
  });
});
