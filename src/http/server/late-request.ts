import { Connection, latestOn } from './connections.js';

/** How long the rest may take of a request that has gone on arriving meanwhile. */
const REST_MS = 400;

/**
 * Refuses the request that a connection is sending, unless it has come meanwhile. A process that stood still, as on a
 * machine that was suspended, finds its timers due before it reads what came in that time: `node:http` then takes for
 * late what waits in the buffer of the connection.
 *
 * @param refuse called at most once, after what has come was read
 */
export function refuseLate(socket: Connection, refuse: () => void): void {
  const latest = latestOn(socket);
  // Where the latest came whole, the late one is the request after it, whose head is not here yet.
  let late = latest?.complete === false ? latest : undefined;
  const hasCome = (): boolean => {
    const next = latestOn(socket);
    if (next !== latest) late ??= next;
    return late?.complete === true;
  };
  const { bytesRead } = socket;
  setImmediate(() => {
    if (hasCome()) return;
    if (socket.bytesRead === bytesRead) {
      refuse();
      return;
    }
    const clear = (): void => {
      clearTimeout(timer);
    };
    const timer = setTimeout(() => {
      socket.off('close', clear);
      if (!hasCome()) refuse();
    }, REST_MS);
    socket.once('close', clear);
  });
}
