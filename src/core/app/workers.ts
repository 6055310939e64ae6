import cluster, { Address, Worker } from 'node:cluster';
import { once } from 'node:events';

import { Logger } from 'pino';

/** A worker that has run this long was sound: the next one is started at once. */
const SOUND_MS = 10_000;
const MAX_DELAY_MS = 5_000;

/** Workers of `node:cluster` that share a port. One that ends is replaced: later and later where each ends soon. */
export class Workers {
  private failures = 0;
  private isStopping = false;

  constructor(
    private readonly size: number,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly logger: Logger,
  ) {}

  /**
   * Starts one worker, which migrates the database, and then the others.
   *
   * @returns where they listen; `undefined` if the first one cannot start, which has said why
   */
  async start(): Promise<Address | undefined> {
    const first = cluster.fork(this.environment);
    const ended = new AbortController();
    first.once('exit', () => {
      ended.abort();
    });
    const listening = await once(first, 'listening', { signal: ended.signal }).catch(() => undefined);
    if (!listening) return undefined;
    this.keep(first);
    for (let i = 1; i < this.size; i++) this.fork();
    return listening[0] as Address;
  }

  /** Stops all workers by SIGTERM, and by SIGKILL those that are left when the time is up. */
  async stop(withinMs: number): Promise<void> {
    this.isStopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const ended = Promise.all(workers.map((worker) => once(worker, 'exit')));
    for (const worker of workers) worker.process.kill('SIGTERM');
    const timer = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    }, withinMs);
    await ended;
    clearTimeout(timer);
  }

  private fork(): void {
    if (!this.isStopping) this.keep(cluster.fork(this.environment));
  }

  private keep(worker: Worker): void {
    const begin = performance.now();
    worker.once('exit', (code: number, signal: string | null) => {
      if (this.isStopping) return;
      const isSound = code === 0 || performance.now() - begin > SOUND_MS;
      this.failures = isSound ? 0 : this.failures + 1;
      const delayMs = isSound ? 0 : Math.min(100 * 2 ** (this.failures - 1), MAX_DELAY_MS);
      const report = { pid: worker.process.pid, outcome: signal ?? code, delayMs };
      this.logger[code === 0 ? 'info' : 'error'](report, 'a worker ended and is replaced');
      setTimeout(() => {
        this.fork();
      }, delayMs);
    });
  }
}
