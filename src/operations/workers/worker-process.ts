import cluster, { Worker } from 'node:cluster';
import { AddressInfo, Socket } from 'node:net';

import { isMessage, ToPrimary, ToWorker } from '../../workers/messages.js';

/** Hears of what a worker process does. Each is called once, but `count`. */
export interface WorkerListener {
  prepared(worker: WorkerProcess): void;
  ready(worker: WorkerProcess): void;
  leaving(worker: WorkerProcess, isFault: boolean): void;
  /** @param outcome its exit code, or the signal that ended it */
  exited(worker: WorkerProcess, outcome: number | string): void;
  count(asked: Extract<ToPrimary, { kind: 'primary:count' }>['asked']): number[];
}

/** A worker, as the primary sees it. */
export class WorkerProcess {
  /** `serving`: it takes connections. */
  state: 'starting' | 'serving' | 'leaving' | 'gone' = 'starting';
  /** Whether it has ever served. */
  hasServed = false;
  /** In milliseconds of `performance.now()`: when it began to serve. */
  servingSince = Infinity;
  private readonly worker: Worker;

  /** Starts the process. */
  constructor(
    private readonly start: { readonly databaseUrl: string; readonly isFirst: boolean },
    private readonly listener: WorkerListener,
  ) {
    this.worker = cluster.fork();
    this.worker.on('message', (message) => {
      if (isMessage<ToPrimary>(message, 'primary')) this.receive(message);
    });
    // A channel that breaks is the sign of a process that ends, which is heard of by itself.
    this.worker.on('error', () => undefined);
    this.worker.once('exit', (code: number, signal: string | null) => {
      this.state = 'gone';
      listener.exited(this, signal ?? code);
    });
  }

  get pid(): number {
    return this.worker.process.pid ?? 0;
  }

  /** Has it serve. @param address where the primary accepts connections */
  serve(address: AddressInfo): void {
    this.send({ kind: 'worker:serve', address });
  }

  /** Hands a connection over. One whose worker dies on the way is lost with it. */
  hand(socket: Socket): void {
    this.send({ kind: 'worker:connection' }, socket);
  }

  announceStop(): void {
    this.send({ kind: 'worker:stopping' });
  }

  /** Has it serve what it has been handed to the end, and exit. */
  stop(): void {
    if (this.state === 'starting') this.kill();
    if (this.state === 'serving') this.state = 'leaving';
    this.send({ kind: 'worker:stop' });
  }

  /** Sends a signal that workers listen for: to one that does not yet it would be the end. */
  signal(signal: NodeJS.Signals): void {
    if (this.state === 'serving') this.worker.process.kill(signal);
  }

  kill(): void {
    this.worker.process.kill('SIGKILL');
  }

  private receive(message: ToPrimary): void {
    if (message.kind === 'primary:count') {
      const counts = this.listener.count(message.asked);
      this.send({ kind: 'worker:counted', batch: message.batch, counts });
    } else if (message.kind === 'primary:hello') this.send({ kind: 'worker:start', ...this.start });
    else if (message.kind === 'primary:prepared') this.listener.prepared(this);
    else if (message.kind === 'primary:ready') {
      this.state = 'serving';
      this.hasServed = true;
      this.servingSince = performance.now();
      this.listener.ready(this);
    } else this.listener.leaving(this, message.isFault);
  }

  private send(message: ToWorker, socket?: Socket): void {
    if (!this.worker.isConnected()) return;
    this.worker.process.send(message, socket, { keepOpen: false }, () => undefined);
  }
}
