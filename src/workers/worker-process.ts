import cluster, { Worker } from 'node:cluster';
import { AddressInfo, Socket } from 'node:net';

import { CountRequest, isMessage, ToPrimary, ToWorker } from './messages.js';
import { processorMsOf } from './processor-time.js';
import { Silence } from './silence.js';

/** Hears of what a worker process does. Each is called once, but `count` and `returned`. */
export interface WorkerListener {
  prepared(worker: WorkerProcess): void;
  ready(worker: WorkerProcess): void;
  leaving(worker: WorkerProcess, isFault: boolean): void;
  /** @param outcome its exit code, or the signal that ended it */
  exited(worker: WorkerProcess, outcome: number | string): void;
  count(requests: readonly CountRequest[]): number[];
  /** A connection that was handed to a worker which did not live to take it. */
  returned(socket: Socket): void;
}

/** A worker, as the primary sees it. */
export class WorkerProcess {
  /** `serving`: it takes connections. */
  state: 'starting' | 'serving' | 'leaving' | 'gone' = 'starting';
  /** Whether it has ever served. */
  hasServed = false;
  /** In milliseconds of `performance.now()`: when it began to serve. */
  servingSince = Infinity;
  /** How long nothing was heard of it. */
  readonly silence = new Silence(performance.now(), () => processorMsOf(this.pid));
  /** Whether it is ended because nothing was heard of it. */
  isHung = false;
  /** Connections that wait to be sent: the channel carries one at a time. */
  private readonly unsent = new Set<Socket>();
  /** Signals that came before it listened for them. */
  private readonly missed = new Set<NodeJS.Signals>();
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
      for (const socket of this.unsent) listener.returned(socket);
      this.unsent.clear();
    });
  }

  get pid(): number {
    return this.worker.process.pid ?? 0;
  }

  /** Has it serve. @param address where the primary accepts connections */
  serve(address: AddressInfo): void {
    this.send({ kind: 'worker:serve', address });
  }

  /** Whether connections can be handed to it. */
  get isServing(): boolean {
    return this.state === 'serving' && this.worker.isConnected();
  }

  /** How many connections wait for it to take those before them: many where it hangs. */
  get backlog(): number {
    return this.unsent.size;
  }

  /** Hands a connection over. One that has left this process when the worker dies is closed with it. */
  hand(socket: Socket): void {
    this.unsent.add(socket);
    const message: ToWorker = { kind: 'worker:connection' };
    // Closed here as soon as it is sent. Without `keepOpen` Node.js closes it when the worker has said that it came,
    // and never where the worker dies before.
    this.worker.process.send(message, socket, { keepOpen: true }, (error) => {
      if (!this.unsent.delete(socket)) return;
      if (error) this.listener.returned(socket);
      else socket.destroy();
    });
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

  /** Sends a signal that workers listen for: to one that does not yet, for which it would be the end, once it does. */
  signal(signal: NodeJS.Signals): void {
    if (this.state === 'serving') this.worker.process.kill(signal);
    if (this.state === 'starting') this.missed.add(signal);
  }

  kill(): void {
    this.worker.process.kill('SIGKILL');
  }

  private receive(message: ToPrimary): void {
    this.silence.end(performance.now());
    if (message.kind === 'primary:count') {
      const counts = this.listener.count(message.requests);
      this.send({ kind: 'worker:counted', batch: message.batch, counts });
    } else if (message.kind === 'primary:hello') this.send({ kind: 'worker:start', ...this.start });
    else if (message.kind === 'primary:prepared') this.listener.prepared(this);
    else if (message.kind === 'primary:ready') {
      this.state = 'serving';
      this.hasServed = true;
      this.servingSince = performance.now();
      for (const signal of this.missed) this.signal(signal);
      this.listener.ready(this);
    } else if (message.kind === 'primary:leaving') this.listener.leaving(this, message.isFault);
  }

  private send(message: ToWorker): void {
    if (!this.worker.isConnected()) return;
    this.worker.process.send(message, undefined, undefined, () => undefined);
  }
}
