import cluster from 'node:cluster';
import { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from 'pino';

import { ALIVE_EVERY_MS, CountRequest } from './messages.js';
import { PrimaryCounts } from './primary-counts.js';
import { WorkerListener, WorkerProcess } from './worker-process.js';

/** A worker that has served this long was sound: its end is no reason to wait with the next. */
const SOUND_MS = 10_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
/** How long a worker that a signal ends waits for the primary, which may have been sent the same signal. */
const SAME_SIGNAL_MS = 100;

/**
 * A worker that the primary has not heard of for this long hangs. No request keeps an event loop busy for a hundredth
 * of it, and an overloaded machine still gives each process a turn within it.
 */
const HUNG_AFTER_MS = 15_000;
/**
 * The same for one that starts. It says nothing before it has loaded the service, which takes a second of processor
 * time, and a minute of a starved machine: so one that has run meanwhile is not silent, unless it runs for this long,
 * or now and then for ten times as long. Each that is ended allows the next twice as long, so that a slow disk does not
 * end them for ever.
 */
const START_HUNG_AFTER_MS = 30_000;

export interface WorkerPlan {
  /** The compiled file that workers run. */
  readonly program: string;
  readonly size: number;
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** A worker takes connections. */
  readonly serving: () => void;
  /** A connection was handed to a worker that did not live to take it. */
  readonly returned: (socket: Socket) => void;
  /** A worker cannot start, and no other serves. It has said why. */
  readonly failed: () => void;
}

/**
 * The workers of a service, as its primary keeps them: as many as are configured, one that ends is replaced. Where one
 * after the other ends soon, the next is started later and later, by 5 seconds at most. One that hangs is ended.
 *
 * This is the seam between the primary and its workers: they are workers of `node:cluster`, so whatever joins them over
 * `cluster.workers` and `process.send` works beside it, such as metrics of all workers on one port. Messages of ours
 * have a `kind`, see `workers/messages.ts`.
 */
export class WorkerPool implements WorkerListener {
  private readonly workers = new Set<WorkerProcess>();
  private readonly counts = new PrimaryCounts();
  private address: AddressInfo | undefined;
  private preparedListener: (() => void) | undefined;
  private hasPrepared = false;
  private startHungAfterMs = START_HUNG_AFTER_MS;
  private failures = 0;
  private turn = 0;
  private isStopping = false;
  private emptied: (() => void) | undefined;

  constructor(private readonly plan: WorkerPlan) {
    cluster.setupPrimary({ exec: plan.program, args: [] });
    let checkedAt = performance.now();
    setInterval(() => {
      const now = performance.now();
      // A primary that did not run itself heard nobody.
      if (now - checkedAt < 2 * ALIVE_EVERY_MS) this.endHung(now);
      else for (const { silence } of this.workers) silence.end(now);
      checkedAt = now;
    }, ALIVE_EVERY_MS).unref();
  }

  /** The number of keys that rate limits are counted by for all workers. */
  get countedKeys(): number {
    return this.counts.size;
  }

  /** Starts the workers: the first one alone, which migrates the database and has the rest find nothing to do. */
  async prepare(): Promise<void> {
    await this.startAndWait(1);
    await this.startAndWait(this.plan.size - 1);
  }

  /** Has all workers take connections. @returns when they do */
  async serve(address: AddressInfo): Promise<void> {
    this.address = address;
    for (const worker of this.workers) worker.serve(address);
    while (![...this.workers].every(({ state }) => state === 'serving')) await sleep(5);
  }

  /** The worker whose turn it is, among those that serve and have taken what they were handed: not one that hangs. */
  next(): WorkerProcess | undefined {
    const serving = [...this.workers].filter(({ isServing }) => isServing);
    const least = Math.min(...serving.map(({ backlog }) => backlog));
    const free = serving.filter(({ backlog }) => backlog === least);
    return free[this.turn++ % free.length];
  }

  /** Tells all that the service is about to stop; none is replaced from now on. */
  announceStop(): void {
    this.isStopping = true;
    for (const worker of this.workers) worker.announceStop();
  }

  /** Ends all workers, in order. @returns when they are gone */
  stop(): Promise<void> {
    this.isStopping = true;
    if (this.workers.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.emptied = resolve;
      for (const worker of this.workers) worker.stop();
    });
  }

  /** Sends a signal to all. */
  signal(signal: NodeJS.Signals): void {
    for (const worker of this.workers) worker.signal(signal);
  }

  /** Ends those that are left. */
  kill(): void {
    for (const worker of this.workers) worker.kill();
  }

  prepared(worker: WorkerProcess): void {
    this.hasPrepared = true;
    if (this.address) worker.serve(this.address);
    else this.preparedListener?.();
  }

  ready(): void {
    this.startHungAfterMs = START_HUNG_AFTER_MS;
    this.plan.serving();
  }

  leaving(worker: WorkerProcess, isFault: boolean): void {
    if (isFault) worker.stop();
    // Told to all processes of the service at once, as by Ctrl-C, a signal means the service and not this worker.
    else
      setTimeout(() => {
        if (!this.isStopping) worker.stop();
      }, SAME_SIGNAL_MS);
  }

  returned(socket: Socket): void {
    this.plan.returned(socket);
  }

  count(requests: readonly CountRequest[]): number[] {
    return this.counts.count(requests);
  }

  exited(worker: WorkerProcess, outcome: number | string): void {
    this.workers.delete(worker);
    if (this.workers.size === 0) this.emptied?.();
    if (this.isStopping) return;
    const isServed = [...this.workers].some(({ state }) => state === 'serving');
    // One that was killed has not said why, and may start the next time.
    const isKilled = worker.isHung || (typeof outcome === 'string' && this.address !== undefined);
    if (!worker.hasServed && !isServed && !isKilled) {
      this.isStopping = true;
      this.plan.failed();
      return;
    }
    const isSound = outcome === 0 || performance.now() - worker.servingSince > SOUND_MS;
    this.failures = isSound ? 0 : this.failures + 1;
    const delayMs = isSound ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (this.failures - 1), MAX_DELAY_MS);
    const report = { pid: worker.pid, outcome, delayMs };
    this.plan.logger[outcome === 0 ? 'info' : 'error'](report, 'a worker ended and is replaced');
    setTimeout(() => {
      if (!this.isStopping) this.start();
    }, delayMs);
  }

  private endHung(now: number): void {
    for (const worker of this.workers) {
      const { pid, state, silence } = worker;
      const isStarting = state === 'starting';
      const hungAfterMs = isStarting ? this.startHungAfterMs : HUNG_AFTER_MS;
      const silentMs = Math.round(isStarting ? silence.msOfStart(now, hungAfterMs) : silence.ms(now));
      if (silentMs < hungAfterMs) continue;
      this.plan.logger.error({ pid, state, silentMs }, 'a worker hangs and is ended');
      if (isStarting && !worker.isHung) this.startHungAfterMs *= 2;
      worker.isHung = true;
      worker.kill();
    }
  }

  private startAndWait(count: number): Promise<void> {
    if (count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      let left = count;
      this.preparedListener = () => {
        if (--left === 0) resolve();
      };
      for (let i = 0; i < count; i++) this.start();
    });
  }

  private start(): void {
    const { databaseUrl } = this.plan;
    this.workers.add(new WorkerProcess({ databaseUrl, isFirst: !this.hasPrepared }, this));
  }
}
