import { once } from 'node:events';
import { createServer } from 'node:net';

/** These ports are below those that the kernel assigns to clients, so a port is still free when its server restarts. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const given = new Set();

/** Returns a port of 127.0.0.1 on which nothing listens. Returns each port only once in this process. */
export async function freePort() {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer();
    const listening = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(port, '127.0.0.1');
    if (!(await listening)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
