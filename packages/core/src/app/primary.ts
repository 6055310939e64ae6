import cluster, { Address, Worker } from 'node:cluster';
import { once } from 'node:events';

import { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';

import { announce, openDatabase, Program, say, serveMetrics } from './program.js';

/** When workers that have not ended are killed, from the end of `SHUTDOWN_DELAY_MS`. */
const WORKERS_ENDED_MS = 8_000;
/** A worker that has run this long was sound: the next one is started at once. */
const SOUND_MS = 10_000;
const MAX_DELAY_MS = 5_000;

/** Starts `WORKERS` processes that share a port. This one runs the embedded database and serves their metrics. */
export async function startPrimary(program: Program): Promise<void> {
  const { config, logger, shutdown } = program;
  const { database, redisUrl, shutdownDelayMs, workers: size } = config;
  const environment: Record<string, string> = {};
  if (database.url === undefined) environment['DATABASE_URL'] = (await openDatabase(program)).url;
  const workers = new Workers(size, environment, logger);
  const stopMs = shutdownDelayMs + WORKERS_ENDED_MS;
  shutdown.defer('stopping the workers', stopMs + 500, () => workers.stop(stopMs));
  const registry = new AggregatorRegistry();
  const metricsAddress = await serveMetrics(program, () => registry.clusterMetrics());
  const address = await workers.start();
  if (!address) {
    await shutdown.run(1);
    return;
  }
  announce(address, config, metricsAddress);
  if (redisUrl === undefined)
    say('Rate limits    each worker counts for itself: REDIS_URL makes it one count');
}

/** Workers of `node:cluster` that share a port. One that ends is replaced, after a delay that grows while they end early. */
class Workers {
  private failures = 0;
  private isStopping = false;

  constructor(
    private readonly size: number,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly logger: Logger,
  ) {}

  /** Starts one worker, which migrates, then the others. @returns where they listen; `undefined`: the first has failed */
  async start(): Promise<Address | undefined> {
    const first = cluster.fork(this.environment);
    const ended = once(first, 'exit').then(() => undefined);
    const listening = await Promise.race([once(first, 'listening'), ended]);
    if (!listening) return undefined;
    this.keep(first);
    for (let i = 1; i < this.size; i++) this.fork();
    return listening[0] as Address;
  }

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
