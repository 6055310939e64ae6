import { ServerResponse } from 'node:http';
import { Server, Socket } from 'node:net';
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';

import { Connections, responsesOn } from './connections.js';

/** How often connections are looked at. */
const LOOK_MS = 25;
/** How long connections are accepted that were opened before: new ones may go on coming. */
const QUEUE_MS = 500;
/** How long an idle connection stays for what its client had sent when it could not know. */
const IDLE_MS = 1_000;
/** How long nothing may move where a client is to send the rest of its request, or to read its answer. */
const STALLED_MS = 1_500;
/** How long a client may take to close a connection that was ended. */
const LINGER_MS = 1_000;

/** What a connection looked like, and since when. */
interface Look {
  progress: string;
  sinceMs: number;
  isEnded: boolean;
}

/** Answers a request that did not arrive in time, and ends its connection. */
type TimeOut = (error: Error & { code: string }, socket: Socket) => void;

/**
 * Stops accepting connections and ends those that there are, losing no request: what was sent or is running is
 * answered, with the notice that the connection closes; a connection that is idle is ended after a moment in which
 * what was on its way is answered; a client that stalls gets its 408 or is cut.
 *
 * @returns when no connection is left, or the time is up: those that are left then are cut
 */
export async function drain(
  server: Server,
  connections: Connections,
  { withinMs, timeOut }: { readonly withinMs: number; readonly timeOut: TimeOut },
): Promise<void> {
  const deadline = performance.now() + withinMs;
  connections.close();
  await acceptQueued(server);
  // Not `http.Server.close()`: it cuts idle connections at once, and looks for no time-outs any more.
  Server.prototype.close.call(server);
  const looks = new Map<Socket, Look>();
  const startedAt = performance.now();
  while (connections.sockets.size + connections.sessions.size > 0 && performance.now() < deadline) {
    await sleep(LOOK_MS);
    // Sockets have been read when this comes: what had arrived is no longer idle.
    await afterPoll();
    for (const socket of connections.sockets) look(socket, looks, timeOut);
    if (performance.now() - startedAt > IDLE_MS) for (const session of connections.sessions) session.close();
  }
  for (const session of connections.sessions) session.destroy();
  for (const socket of connections.sockets) socket.destroy();
}

/**
 * Accepts the connections that the system has opened on our behalf already: they would be reset with the port. One is
 * accepted in each turn of the event loop (libuv since 1.45), so a turn without any has found none.
 *
 * @returns in the same turn, with time for no further one
 */
async function acceptQueued(server: Server): Promise<void> {
  let isAccepting = true;
  const note = (): void => {
    isAccepting = true;
  };
  const deadline = performance.now() + QUEUE_MS;
  server.on('connection', note);
  while (isAccepting && performance.now() < deadline) {
    isAccepting = false;
    await afterPoll();
  }
  server.off('connection', note);
}

function look(socket: Socket, looks: Map<Socket, Look>, timeOut: TimeOut): void {
  const now = performance.now();
  const [first] = responsesOn(socket);
  const progress = `${socket.bytesRead} ${socket.writableLength} ${first ? 'busy' : 'idle'}`;
  const last = looks.get(socket);
  if (last?.progress !== progress) {
    looks.set(socket, { progress, sinceMs: now, isEnded: last?.isEnded ?? false });
    return;
  }
  const quietMs = now - last.sinceMs;
  if (last.isEnded) {
    if (quietMs > LINGER_MS) socket.destroy();
  } else if (!first) {
    if (quietMs < IDLE_MS) return;
    Object.assign(last, { isEnded: true, sinceMs: now });
    socket.end();
  } else if (quietMs > STALLED_MS) endStalled(socket, first, timeOut);
}

function endStalled(socket: Socket, response: ServerResponse, timeOut: TimeOut): void {
  if (response.writableEnded) socket.destroy();
  else if (!response.req.complete)
    timeOut(Object.assign(new Error('shutting down'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  // Else it is being worked at.
}
