import { Http2Session, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { Socket } from 'node:net';

import { LIMITS } from './server-options.js';

/** How long the connection of a session that has ended may stay: its client reads the last answers, and closes it. */
const LINGER_MS = 6 * LIMITS.unreadTimeoutMs;

/** How many streams of a session are open. */
const open = new WeakMap<Http2Session, number>();

/** Notes a stream until it is closed. */
export function noteOpen(stream: ServerHttp2Stream): void {
  const { session } = stream;
  if (!session) return;
  const add = (count: number): void => {
    open.set(session, (open.get(session) ?? 0) + count);
  };
  add(1);
  stream.once('close', () => {
    add(-1);
  });
}

/**
 * Keeps the bounds of time that `node:http2` has not: a session on which nothing is under way ends after a while, and a
 * connection with its session. It would stay open for as long as its client reads nothing, or does not close it.
 */
export function limitSession(
  session: ServerHttp2Session,
  socket: Socket | undefined,
  lingerMs = LINGER_MS,
): void {
  endWhenIdle(session);
  const destroy = session.destroy.bind(session);
  session.destroy = (...parameters) => {
    destroy(...parameters);
    const timer = setTimeout(() => socket?.destroy(), lingerMs).unref();
    session.once('close', () => {
      clearTimeout(timer);
    });
  };
}

function endWhenIdle(session: ServerHttp2Session): void {
  session.setTimeout(LIMITS.keepAliveTimeoutMs, () => {
    // What is being made takes its time. What does not arrive and what is not read have bounds of their own.
    if ((open.get(session) ?? 0) > 0) endWhenIdle(session);
    else {
      session.close();
      setTimeout(() => {
        session.destroy();
      }, LIMITS.unreadTimeoutMs).unref();
    }
  });
}
