import { once } from 'node:events';
import { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Connections } from './connections.js';

/** How long an idle connection stays for what its client had sent when it could not know. */
const IDLE_MS = 1_000;
/** How long a request may take to arrive: its client gets a 408 before the time is up. */
const ARRIVAL_MS = 2_000;
/** How often connections are looked for that have become idle. */
const LOOK_MS = 100;

/**
 * Stops accepting connections and ends those that there are. Requests that were sent are answered, with the notice that
 * the connection closes; idle connections are closed after a moment in which what was on its way is answered.
 *
 * @returns when no connection is left, or the time is up: those that are left then are cut
 */
export async function drain(server: Server, connections: Connections, withinMs: number): Promise<void> {
  const closed = once(server, 'close');
  // `close()` of `node:http` closes idle connections at once, whatever is on its way to them.
  NetServer.prototype.close.call(server);
  connections.close();
  server.headersTimeout = ARRIVAL_MS;
  server.requestTimeout = ARRIVAL_MS;
  const idleAt = performance.now() + IDLE_MS;
  const looking = setInterval(() => {
    if (performance.now() > idleAt) server.closeIdleConnections();
  }, LOOK_MS);
  await Promise.race([closed, sleep(withinMs, undefined, { ref: false })]);
  clearInterval(looking);
  // Those too that `closeAllConnections()` leaves: WebSockets, and those on which no TLS was opened.
  for (const socket of connections.sockets) socket.destroy();
}
