import { ServerResponse } from 'node:http';
import { ServerHttp2Session } from 'node:http2';
import { Server, Socket } from 'node:net';
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';

import { Arriving, Connections, responsesOn } from './connections.js';

/** How often connections are looked at. */
const LOOK_MS = 25;
/**
 * How long connections are accepted that were opened before: new ones may go on coming. It is also as much processor
 * time of this process, which on a busy machine may take longer to get it; the rest is left for the answers.
 */
const QUEUE_MS = 500;
const MAX_QUEUE_MS = 3_000;
/** A turn of the event loop in which next to nothing was done. */
const SHORT_TURN_MS = 0.5;
/** How long an idle connection stays for what its client had sent when it could not know. */
const IDLE_MS = 1_000;
/** How long nothing may move where a client is to send the rest of its request, or to read its answer. */
const STALLED_MS = 1_500;
/** How long a client may take to close a connection that was ended. */
const LINGER_MS = 1_000;

/** The state of a connection, and since when it has been in it. */
interface Look {
  progress: string;
  sinceMs: number;
  isEnded: boolean;
}

/** A connection, a session or a request of one, that is looked at. */
type Key = Socket | ServerHttp2Session | Arriving;

type Looks = Map<Key, Look>;

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
  await acceptQueued(server);
  // Not `http.Server.close()`: it cuts idle connections at once, and looks for no time-outs any more.
  Server.prototype.close.call(server);
  // After the port: a client that is told that its connection closes opens another one at once.
  connections.close();
  const looks: Looks = new Map();
  const { sockets, sessions, opening, arriving } = connections;
  while (sockets.size + sessions.size + opening.size > 0 && performance.now() < deadline) {
    await sleep(LOOK_MS);
    // Sockets have been read when this comes: what had arrived is no longer idle.
    await afterPoll();
    for (const socket of sockets) look(socket, looks, timeOut);
    for (const session of sessions.keys()) lookAtSession(session, looks);
    for (const request of arriving) lookAtArriving(request, looks);
    for (const socket of opening.values()) lookAtOpening(socket, looks);
  }
  for (const [session, socket] of sessions) {
    session.destroy();
    // Else it stays open for as long as its client does not read.
    socket?.destroy();
  }
  for (const socket of [...sockets, ...opening.values()]) socket.destroy();
}

/**
 * Accepts the connections that the system has opened on our behalf already: they would be reset with the port. One is
 * accepted in each turn of the event loop (libuv since 1.45), so a turn without any has found none; a short one, since
 * others are opened while requests are worked at.
 *
 * @returns in the same turn, with time for no further connection
 */
export async function acceptQueued(server: Server): Promise<void> {
  let accepted = 0;
  const note = (): void => {
    accepted++;
  };
  server.on('connection', note);
  const begin = { ms: performance.now(), cpu: process.cpuUsage() };
  const isOver = (): boolean => {
    const ms = performance.now() - begin.ms;
    // Of all threads: where some hash passwords, half a second of it is over sooner.
    const { user, system } = process.cpuUsage(begin.cpu);
    return ms > MAX_QUEUE_MS || (ms > QUEUE_MS && (user + system) / 1_000 > QUEUE_MS);
  };
  for (let isQuiet = false; !isQuiet && !isOver();) {
    const before = { accepted, ms: performance.now() };
    await afterPoll();
    isQuiet = accepted === before.accepted && performance.now() - before.ms < SHORT_TURN_MS;
  }
  server.off('connection', note);
}

/** Notes what a connection or session looks like. @returns what it looks like since when; `undefined`: it has moved */
function quietSince(key: Key, progress: string, looks: Looks): Look | undefined {
  const last = looks.get(key);
  if (last?.progress === progress) return last;
  looks.set(key, { progress, sinceMs: performance.now(), isEnded: last?.isEnded ?? false });
  return undefined;
}

/** Ends a session on which no stream was opened for a moment: its client knows that it closes. */
function lookAtSession(session: ServerHttp2Session, looks: Looks): void {
  if (session.closed) return;
  const last = quietSince(session, String(session.state.lastProcStreamID), looks);
  if (last && performance.now() - last.sinceMs > IDLE_MS) session.close();
}

/** A request of HTTP/2 that stalls gets its 408, as one of HTTP/1.1 does. */
function lookAtArriving(request: Arriving, looks: Looks): void {
  const last = quietSince(request, request.progress, looks);
  if (last && performance.now() - last.sinceMs > STALLED_MS) request.timeOut();
}

/** A connection on which nothing comes of a TLS handshake has no request. */
function lookAtOpening(socket: Socket, looks: Looks): void {
  const last = quietSince(socket, `opening ${socket.bytesRead}`, looks);
  if (last && performance.now() - last.sinceMs > IDLE_MS) socket.destroy();
}

function look(socket: Socket, looks: Looks, timeOut: TimeOut): void {
  const [first] = responsesOn(socket);
  const progress = `${socket.bytesRead} ${socket.writableLength} ${first ? 'busy' : 'idle'}`;
  const last = quietSince(socket, progress, looks);
  if (!last) return;
  const quietMs = performance.now() - last.sinceMs;
  if (last.isEnded) {
    if (quietMs > LINGER_MS) socket.destroy();
  } else if (!first) {
    if (quietMs < IDLE_MS) return;
    Object.assign(last, { isEnded: true, sinceMs: performance.now() });
    socket.end();
  } else if (quietMs > STALLED_MS) endStalled(socket, first, timeOut);
}

function endStalled(socket: Socket, response: ServerResponse, timeOut: TimeOut): void {
  if (response.writableEnded) socket.destroy();
  else if (!response.req.complete)
    timeOut(Object.assign(new Error('shutting down'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  // Else it is being worked at.
}
