import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  endChild,
  hasEnded,
  launch,
  signalChild,
  type RunningServer,
  type ServerPlan,
} from './launch-server.js';
import { clearPostmasterLock } from './postmaster-lock.js';

/** Short enough that the service is ready again within 3 s of the cause being gone. */
const MAX_RESTART_DELAY_MS = 1_000;
/** A server that has run this long was sound: the next one is started at once. */
const SOUND_MS = 10_000;

/**
 * A server that runs until it is stopped: one that ends by itself (killed, out of memory, its disk full) is started
 * again on its port until it stays, so that clients only have to connect anew. It is left alone where the directory is
 * gone or another process's: that one runs a server of its own in it.
 */
export class SupervisedServer implements RunningServer {
  isUp = true;
  restarts = 0;
  private readonly stopping = new AbortController();
  private restarting: Promise<void> = Promise.resolve();
  private stopped: Promise<void> | undefined;
  /** In milliseconds of `performance.now()`: when it took connections. */
  private readySince = performance.now();
  /** How often it was started since it was sound. */
  private attempts = 0;

  constructor(
    private readonly plan: ServerPlan,
    private child: ChildProcess,
    readonly port: number,
  ) {
    process.once('exit', this.interrupt);
    this.watch();
  }

  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  private readonly interrupt = (): void => {
    signalChild(this.child, 'SIGINT');
  };

  private readonly onDeath = (): void => {
    this.plan.log(
      `the embedded PostgreSQL ended unexpectedly and is started again, see ${this.plan.logFile}`,
    );
    this.isUp = false;
    if (performance.now() - this.readySince > SOUND_MS) this.attempts = 0;
    this.restarting = this.restart();
  };

  private watch(): void {
    if (hasEnded(this.child)) this.onDeath();
    else this.child.once('exit', this.onDeath);
  }

  private async restart(): Promise<void> {
    const { signal } = this.stopping;
    let told = '';
    while (!signal.aborted) {
      const delay = Math.min(100 * 2 ** this.attempts++, MAX_RESTART_DELAY_MS);
      await sleep(delay, undefined, { signal }).catch(() => undefined);
      const outcome = await this.attempt(signal);
      if (typeof outcome !== 'string') {
        this.child = outcome;
        this.isUp = true;
        this.readySince = performance.now();
        this.restarts++;
        if (!this.stopping.signal.aborted) this.watch();
        this.plan.log('the embedded PostgreSQL runs again');
        return;
      }
      if (outcome !== told && !this.stopping.signal.aborted)
        this.plan.log(`the embedded PostgreSQL does not start, and is tried again: ${outcome}`);
      told = outcome;
    }
  }

  /** A full disk also fails what is done before the server starts. */
  private async attempt(signal: AbortSignal): Promise<ChildProcess | string> {
    if (signal.aborted) return 'it is stopped';
    try {
      if (!this.plan.isOurs()) return 'its folder is gone, or is used by another process';
      await clearPostmasterLock(this.plan.cluster);
      return await launch(this.plan, this.port, signal);
    } catch (error) {
      return (error as Error).message;
    }
  }

  private async end(): Promise<void> {
    this.stopping.abort();
    process.off('exit', this.interrupt);
    this.child.off('exit', this.onDeath);
    await this.restarting;
    await endChild(this.child);
  }
}
