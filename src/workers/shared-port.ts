import { once } from 'node:events';
import { AddressInfo, createServer, Socket } from 'node:net';

import { WorkerProcess } from './worker-process.js';

/** Connections that wait while no worker serves; further ones are closed. */
const MAX_WAITING = 1_024;

/** The port that workers share: the primary accepts connections and hands them to its workers in turn, unread. */
export class SharedPort {
  // As servers of `node:http` have it: what was written leaves at once.
  private readonly server = createServer({ pauseOnConnect: true, noDelay: true });
  private readonly waiting: Socket[] = [];

  /** @param next the worker whose turn it is; `undefined`: none serves */
  constructor(private readonly next: () => WorkerProcess | undefined) {
    this.server.on('connection', (socket) => {
      // A client may reset its connection before there is anybody to hand it to.
      socket.on('error', () => undefined);
      this.hand(socket);
    });
  }

  /** Whether connections are accepted. */
  get isOpen(): boolean {
    return this.server.listening;
  }

  /** @throws Error of the system, as where the port is taken */
  async open(port: number, host: string): Promise<AddressInfo> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    return this.address;
  }

  get address(): AddressInfo {
    return this.server.address() as AddressInfo;
  }

  /** A worker serves again: it gets what has waited for one. */
  resume(): void {
    for (const socket of this.waiting.splice(0)) this.hand(socket);
  }

  /** Closes the port. */
  close(): Promise<void> {
    this.server.close();
    for (const socket of this.waiting.splice(0)) socket.destroy();
    return Promise.resolve();
  }

  /** Hands a connection to the worker whose turn it is, or keeps it for the next one. */
  hand(socket: Socket): void {
    const worker = this.next();
    if (worker) worker.hand(socket);
    else if (this.isOpen && this.waiting.length < MAX_WAITING) this.waiting.push(socket);
    else socket.destroy();
  }
}
