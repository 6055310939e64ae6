import { AddressInfo, Server, Socket } from 'node:net';

import { PrimaryLink } from './primary-link.js';

/** The part of a server's handle that `node:net` uses once it listens. */
interface Handle {
  close(done?: () => void): void;
  ref(): void;
  unref(): void;
  getsockname(address: Partial<AddressInfo>): number;
}

/**
 * Lets a worker's server serve the connections that the primary hands to it. From now on `listen()` opens no port: it
 * says `listening`, with the address of the primary's port; `close()` ends that, as of any server.
 *
 * `node:cluster` does the same for a server that listens in a worker, but loses connections: when the last worker
 * closes its server, the primary resets those that it has accepted and not handed on, and those that wait to be
 * accepted.
 *
 * @param address where the primary accepts connections
 */
export function serveHandedConnections(server: Server, address: AddressInfo): void {
  const listen = (...args: unknown[]): Server => {
    const listening = args.findLast((arg) => typeof arg === 'function');
    if (listening) server.once('listening', listening as () => void);
    // The field in which `node:net` keeps what it listens on, as `node:cluster` fills it in its workers.
    (server as unknown as { _handle: Handle })._handle = handleOf(address);
    process.nextTick(() => {
      server.emit('listening');
    });
    return server;
  };
  Object.assign(server, { listen });
}

/**
 * Has the primary hand over connections from now on. Those past `server.maxConnections` are closed at once.
 *
 * @param open the connections that there are
 */
export function takeConnections(server: Server, link: PrimaryLink, open: { readonly size: number }): void {
  link.ready((socket: Socket) => {
    if (server.maxConnections && open.size >= server.maxConnections) socket.destroy();
    else server.emit('connection', socket);
  });
}

const handleOf = (address: AddressInfo): Handle => ({
  close: (done) => {
    if (done) process.nextTick(done);
  },
  ref: () => undefined,
  unref: () => undefined,
  getsockname: (out) => {
    Object.assign(out, address);
    return 0;
  },
});
