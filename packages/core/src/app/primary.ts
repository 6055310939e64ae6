import cluster, { Worker } from 'node:cluster';
import { once } from 'node:events';
import { AddressInfo } from 'node:net';

import { printAddresses, openDatabase, Program, say, serveMetrics, ServingMessage } from './program.js';
import { WorkerMetrics } from './worker-metrics.js';

/** How long after `SHUTDOWN_DELAY_MS` the remaining workers are killed. */
const WORKERS_KILL_TIMEOUT_MS = 8_000;
/** A worker that ends after at least this time is replaced at once. */
const MIN_UPTIME_MS = 10_000;
const MAX_RESTART_DELAY_MS = 5_000;

/**
 * Starts `WORKERS` processes that share a port. This process serves the metrics of all workers. It also runs the
 * embedded database if there is no `DATABASE_URL`.
 */
export async function startPrimary(program: Program): Promise<void> {
  const { config, logger, shutdown } = program;
  const { database, redisUrl, shutdownDelayMs } = config;
  // Workers inherit the environment variables, and therefore use the same database.
  if (database.url === undefined) process.env['DATABASE_URL'] = (await openDatabase(program)).url;
  const stopMs = shutdownDelayMs + WORKERS_KILL_TIMEOUT_MS;
  shutdown.defer('stopping the workers', stopMs + 500, () => stopWorkers(stopMs));
  const metrics = new WorkerMetrics(config.workers, logger);
  cluster.on('fork', (worker) => {
    metrics.watch(worker);
    closeUnacceptedConnection(worker);
  });
  const metricsAddress = await serveMetrics(program, () => metrics.read());
  // The first worker runs the migrations, before the others start.
  const first = cluster.fork();
  const ended = once(first, 'exit').then(() => undefined);
  const address = await Promise.race([servingAddress(first), ended]);
  if (!address) return shutdown.run(1);
  keepWorkers(program, first);
  printAddresses(address, config, metricsAddress);
  if (redisUrl === undefined)
    say('Rate limits    each worker counts by itself; with REDIS_URL they share one count');
}

/** Waits until a worker serves requests. @returns its address */
function servingAddress(worker: Worker): Promise<AddressInfo> {
  return new Promise((resolve) => {
    worker.on('message', ({ serving }: Partial<ServingMessage>) => {
      if (serving) resolve(serving);
    });
  });
}

/**
 * Starts the other workers, and replaces each worker that ends. If workers fail early, each replacement waits twice as
 * long as the one before, up to five seconds.
 */
function keepWorkers({ config, logger, shutdown }: Program, first: Worker): void {
  let failures = 0;
  const keep = (worker: Worker): void => {
    const begin = performance.now();
    worker.once('exit', (code: number, signal: string | null) => {
      if (shutdown.isRunning) return;
      const isSound = code === 0 || performance.now() - begin > MIN_UPTIME_MS;
      failures = isSound ? 0 : failures + 1;
      const delayMs = isSound ? 0 : Math.min(100 * 2 ** (failures - 1), MAX_RESTART_DELAY_MS);
      const report = { pid: worker.process.pid, outcome: signal ?? code, delayMs };
      logger[code === 0 ? 'info' : 'error'](report, 'a worker ended and will be replaced');
      setTimeout(fork, delayMs);
    });
  };
  const fork = (): void => {
    if (!shutdown.isRunning) keep(cluster.fork());
  };
  keep(first);
  for (let i = 1; i < config.workers; i++) fork();
}

/**
 * Closes the connection that a worker was given, but had not accepted when it ended. Node.js would leave it open, and
 * its client would wait for a response until its own time limit. A worker gets a connection only after it has accepted
 * the one before, so there is at most one.
 */
function closeUnacceptedConnection({ process: child }: Pick<Worker, 'process'>): void {
  let last: ConnectionHandle | undefined;
  const send = child.send.bind(child) as (...args: readonly unknown[]) => boolean;
  child.send = (message: unknown, handle?: unknown, ...rest: readonly unknown[]): boolean => {
    if (handle) last = handle as ConnectionHandle;
    return send(message, handle, ...rest);
  };
  // `node:cluster` closes the handle of a connection that the worker has accepted. Its file descriptor is then -1.
  child.once('exit', () => {
    if (last && last.fd >= 0) last.close();
  });
}

/** A connection that `node:cluster` passes to a worker. */
interface ConnectionHandle {
  readonly fd: number;
  close(): void;
}

async function stopWorkers(withinMs: number): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const ended = Promise.all(workers.map((worker) => once(worker, 'exit')));
  for (const worker of workers) worker.process.kill('SIGTERM');
  const timer = setTimeout(() => {
    for (const worker of workers) worker.process.kill('SIGKILL');
  }, withinMs);
  await ended;
  clearTimeout(timer);
}
