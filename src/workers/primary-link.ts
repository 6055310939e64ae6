import { AddressInfo, Socket } from 'node:net';

import { Count } from '../http/rate-limit/counter.js';
import { WorkerCounts } from '../http/rate-limit/worker-counts.js';
import { ALIVE_EVERY_MS, CountRequest, isMessage, ToPrimary, ToWorker } from './messages.js';

/** Longer than an answer takes while the primary is alive: it does nothing that takes long. */
const ANSWER_WITHIN_MS = 1_000;

interface Waiter {
  resolve(counted: Count): void;
  reject(error: Error): void;
}

/** A worker's link to its primary (`WORKERS`). */
export class PrimaryLink implements WorkerCounts {
  private requests: CountRequest[] = [];
  private waiters: Waiter[] = [];
  private readonly batches = new Map<number, { waiters: Waiter[]; timer: NodeJS.Timeout }>();
  private lastBatch = 0;
  private takeConnection: ((socket: Socket) => void) | undefined;
  private stopListener: (() => void) | undefined;
  private stoppingListener: (() => void) | undefined;
  private serveListener: ((address: AddressInfo) => void) | undefined;
  private isStopped = false;

  private constructor(
    /** Of the server that the configuration names, or that the primary has started. */
    readonly databaseUrl: string,
    /** Whether it speaks for all workers to the person at the terminal. */
    readonly isFirst: boolean,
  ) {
    process.on('message', (message, socket) => {
      if (isMessage<ToWorker>(message, 'worker')) this.receive(message, socket as Socket | undefined);
    });
    setInterval(() => {
      send({ kind: 'primary:alive' });
    }, ALIVE_EVERY_MS).unref();
  }

  /** The link of this process, once the primary has said how to start. */
  static connect(): Promise<PrimaryLink> {
    return new Promise((resolve) => {
      const listen = (message: unknown): void => {
        if (!isMessage<ToWorker>(message, 'worker') || message.kind !== 'worker:start') return;
        process.off('message', listen);
        resolve(new PrimaryLink(message.databaseUrl, message.isFirst));
      };
      process.on('message', listen);
      send({ kind: 'primary:hello' });
    });
  }

  /** Says that this worker could serve. @returns where the primary accepts the connections of all, once it does */
  prepared(): Promise<AddressInfo> {
    return new Promise((resolve) => {
      this.serveListener = resolve;
      send({ kind: 'primary:prepared' });
    });
  }

  /** Takes connections from now on. */
  ready(takeConnection: (socket: Socket) => void): void {
    this.takeConnection = takeConnection;
    send({ kind: 'primary:ready' });
  }

  /** Hears once that the service is about to stop. */
  onStopping(listener: () => void): void {
    this.stoppingListener = listener;
  }

  /** Hears once that no further connection comes, and that this process is to exit. */
  onStop(listener: () => void): void {
    this.stopListener = listener;
  }

  /**
   * Asks for no further connections. A worker that a signal ends while the service stops is told when it is its turn.
   *
   * @param isFault whether the process must end now
   * @returns when none comes
   */
  leave(isFault: boolean): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      this.stopListener = resolve;
      send({ kind: 'primary:leaving', isFault });
    });
  }

  /**
   * Counts a hit of a key, or looks up its count, over all workers. What is asked in one turn of the event loop goes in
   * one message.
   *
   * @throws Error where the primary does not answer within a second
   */
  count(...request: CountRequest): Promise<Count> {
    if (this.requests.length === 0) setImmediate(() => this.sendBatch());
    return new Promise((resolve, reject) => {
      this.requests.push(request);
      this.waiters.push({ resolve, reject });
    });
  }

  private sendBatch(): void {
    const { requests, waiters } = this;
    this.requests = [];
    this.waiters = [];
    const batch = ++this.lastBatch;
    // Timers run before messages are read: where this process was busy, the answer may be there.
    const timer = setTimeout(() => setImmediate(() => this.giveUp(batch)), ANSWER_WITHIN_MS).unref();
    this.batches.set(batch, { waiters, timer });
    send({ kind: 'primary:count', batch, requests });
  }

  private giveUp(batch: number): void {
    const error = new Error('The primary process does not answer.');
    for (const waiter of this.batches.get(batch)?.waiters ?? []) waiter.reject(error);
    this.batches.delete(batch);
  }

  private receive(message: ToWorker, socket: Socket | undefined): void {
    if (message.kind === 'worker:connection') {
      // The client may have gone on the way.
      if (socket) this.takeConnection?.(socket);
    } else if (message.kind === 'worker:counted') this.answer(message.batch, message.counts);
    else if (message.kind === 'worker:serve') this.serveListener?.(message.address);
    else if (message.kind === 'worker:stopping') this.stoppingListener?.();
    else if (message.kind === 'worker:stop') {
      this.isStopped = true;
      this.stopListener?.();
    }
  }

  private answer(batch: number, counts: readonly number[]): void {
    const { waiters, timer } = this.batches.get(batch) ?? {};
    this.batches.delete(batch);
    clearTimeout(timer);
    waiters?.forEach((waiter, i) => {
      waiter.resolve({ hits: counts[2 * i] ?? 0, msLeft: counts[2 * i + 1] ?? 0 });
    });
  }
}

function send(message: ToPrimary): void {
  // Where the primary is gone, node:cluster ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
}
