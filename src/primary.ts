import { fileURLToPath } from 'node:url';

import { AggregatorRegistry } from 'prom-client';

import { Config } from './config/config.js';
import { LogOutput } from './http/logging/log-output.js';
import { createLogger } from './http/logging/logger.js';
import { MetricsServer } from './operations/metrics/metrics-server.js';
import { Shutdown } from './operations/shutdown.js';
import { Primary, PRIMARY_DEADLINES } from './workers/primary.js';
import { SharedPort } from './workers/shared-port.js';
import { WorkerPool } from './workers/worker-pool.js';
import { addressOf, announce, openDatabase, reportStartError, say } from './program.js';

/**
 * Starts the service as several processes that share a port (`WORKERS`): this one, the primary, runs the embedded
 * database, keeps the workers, accepts connections for them and counts requests for all; each worker is a whole
 * service, see `startWorker`. Runs until a signal stops it, or until no worker can start.
 */
export async function startPrimary(config: Config): Promise<void> {
  const output = new LogOutput();
  const logger = createLogger(config.logLevel, output);
  const shutdown = new Shutdown(logger, config.shutdownDelayMs, output, PRIMARY_DEADLINES);
  try {
    const database = config.database.url === undefined ? await openDatabase(config, shutdown) : undefined;
    const pool = new WorkerPool({
      program: fileURLToPath(new URL('main.js', import.meta.url)),
      size: config.workers,
      databaseUrl: config.database.url ?? database?.url ?? '',
      logger,
      serving: () => {
        port.resume();
      },
      returned: (socket) => {
        port.hand(socket);
      },
      failed: () => void shutdown.run(1),
    });
    const metrics = metricsServer(config);
    if (metrics) shutdown.last(() => metrics.close());
    const metricsAddress = await metrics?.listen(config.metricsPort ?? 0, addressOf(config.host));
    const port = new SharedPort(() => pool.next());
    shutdown.of(new Primary(port, pool));
    await pool.prepare();
    const address = await port.open(config.port, addressOf(config.host));
    await pool.serve(address);
    announce(address, config);
    if (metricsAddress) say(`Metrics        ${metricsAddress}`);
  } catch (error) {
    reportStartError(error, config, logger, shutdown);
    await shutdown.run(1);
  }
}

/** Serves the metrics of all workers, added up, where that is asked for. */
function metricsServer({ metricsPort }: Config): MetricsServer | undefined {
  if (metricsPort === undefined) return undefined;
  const registry = new AggregatorRegistry();
  return new MetricsServer(() => registry.clusterMetrics());
}
