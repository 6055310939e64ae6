import { AggregatorRegistry } from 'prom-client';

import { Config } from '../config/config.js';
import { MetricsServer } from '../operations/metrics/metrics-server.js';
import { addressOf, announce, openDatabase, Program, runProgram, say } from './program.js';
import { Workers } from './workers.js';

/** When workers that have not ended are killed, from the end of `SHUTDOWN_DELAY_MS`. */
const WORKERS_ENDED_MS = 8_000;

/**
 * Starts the service as several processes that share a port (`WORKERS`): this one, the primary, runs the embedded
 * database, keeps the workers and serves their metrics; each worker is a whole service, see `startService`.
 */
export const startPrimary = (config: Config): Promise<void> => runProgram(config, start);

async function start(program: Program): Promise<void> {
  const { config, logger, shutdown } = program;
  const { database, redisUrl, shutdownDelayMs, workers: size } = config;
  const environment: Record<string, string> = {};
  if (database.url === undefined) environment['DATABASE_URL'] = (await openDatabase(program)).url;
  const workers = new Workers(size, environment, logger);
  const stopMs = shutdownDelayMs + WORKERS_ENDED_MS;
  shutdown.defer('stopping the workers', stopMs + 500, () => workers.stop(stopMs));
  const metricsAddress = await serveMetrics(program);
  const address = await workers.start();
  if (!address) {
    await shutdown.run(1);
    return;
  }
  announce(address, config);
  if (metricsAddress) say(`Metrics        ${metricsAddress}`);
  if (redisUrl === undefined)
    say('Rate limits    each worker counts for itself: REDIS_URL makes it one count');
}

/** Serves the metrics of all workers, added up. @returns where; `undefined`: nowhere */
async function serveMetrics({ config, shutdown }: Program): Promise<string | undefined> {
  if (config.metricsPort === undefined) return undefined;
  const registry = new AggregatorRegistry();
  const server = new MetricsServer(() => registry.clusterMetrics());
  shutdown.defer('closing the metrics', 500, () => server.close());
  return server.listen(config.metricsPort, addressOf(config.host));
}
