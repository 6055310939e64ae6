import { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { EmbeddedDatabase } from '../packages/embedded-postgres-server/embedded-database.js';
import { App, createApp } from './app.factory.js';
import { Config } from './config/config.js';
import { loadConfigWithoutKeys } from './config/load-config.js';
import { Schema } from './database/schema.js';
import { LogOutput } from './http/logging/log-output.js';
import { createLogger } from './http/logging/logger.js';
import { AdminAnnouncement } from './operations/admin-announcement.js';
import { answerPrimary } from './operations/metrics/app-metrics.js';
import { MetricsServer } from './operations/metrics/metrics-server.js';
import { ServedApp } from './operations/served-app.js';
import { Shutdown, Stoppable } from './operations/shutdown.js';
import { WORKER_DEADLINES, WorkerApp } from './workers/worker-app.js';
import { addressOf, announce, openDatabase, readConfigOrExit, reportStartError, say } from './program.js';
import { FirstAdmin } from './users/first-admin.js';
import { serveHandedConnections, takeConnections } from './workers/handed-connections.js';
import { PrimaryLink } from './workers/primary-link.js';

/** How often an instance that does not migrate looks for the migrations of others. */
const MIGRATIONS_POLL_MS = 500;

/** Starts the service in this process: database, schema, first administrator, HTTP. Runs until a signal stops it. */
export async function startService(config: Config): Promise<void> {
  const output = new LogOutput();
  const logger = createLogger(config.logLevel, output);
  const shutdown = new Shutdown(logger, config.shutdownDelayMs, output);
  try {
    await startTracing(config, shutdown);
    const app = await prepareApp(config, shutdown, { logger });
    const waitForMigrations = await prepareData(app, config);
    await prepareDocs(app, config);
    const metricsAddress = await serveMetrics(app, config, shutdown);
    await app.nest.listen(config.port, addressOf(config.host));
    announce(app.nest.getHttpServer().address() as AddressInfo, config);
    if (metricsAddress) say(`Metrics        ${metricsAddress}`);
    await waitForMigrations(say);
  } catch (error) {
    reportStartError(error, config, logger, shutdown);
    await shutdown.run(1);
  }
}

/**
 * Starts the service in a worker of `startPrimary`, which says when to begin, hands it connections and says when to
 * stop. A worker whose primary is gone ends at once.
 */
export async function startWorker(): Promise<void> {
  const config = readConfigOrExit();
  const output = new LogOutput();
  const logger = createLogger(config.logLevel, output);
  const shutdown = new Shutdown(logger, 0, output, WORKER_DEADLINES);
  try {
    const link = await PrimaryLink.connect();
    link.onStop(() => void shutdown.run(0));
    await startTracing(config, shutdown);
    const app = await prepareApp(config, shutdown, { logger, primary: link });
    if (app.metrics) answerPrimary(app.metrics);
    const waitForMigrations = await prepareData(app, config);
    await prepareDocs(app, config);
    const server = app.nest.getHttpServer();
    serveHandedConnections(server, await link.prepared());
    await app.nest.listen(config.port, addressOf(config.host));
    takeConnections(server, link, app.connections.sockets);
    await waitForMigrations(link.isFirst ? say : () => undefined);
  } catch (error) {
    reportStartError(error, config, logger, shutdown);
    await shutdown.run(1);
  }
}

/**
 * Gives the administrator of the configuration a new password and ends: `npm run admin:reset`. The service may run
 * meanwhile.
 */
export async function resetAdmin(): Promise<void> {
  const config = readConfigOrExit();
  const output = new LogOutput();
  const logger = createLogger('fatal', output);
  const shutdown = new Shutdown(logger, 0, output);
  try {
    const app = await prepareApp(config, shutdown, { logger, attach: true });
    await app.nest.get(FirstAdmin, { strict: false }).reset(adminAnnouncement(config));
    await shutdown.run(0);
  } catch (error) {
    reportStartError(error, config, logger, shutdown);
    await shutdown.run(1);
  }
}

/**
 * Does some work on the schema, by the role of `DATABASE_URL`, and ends: `npm run migrate`. The service may run
 * meanwhile.
 *
 * @param work gives the exit code
 */
export async function runOnSchema(work: (schema: Schema) => Promise<number>): Promise<void> {
  const config = readConfigOrExit(loadConfigWithoutKeys);
  const output = new LogOutput();
  const logger = createLogger('warn', output);
  const shutdown = new Shutdown(logger, 0, output);
  let exitCode = 1;
  try {
    const prepare = async (schema: Schema): Promise<void> => {
      exitCode = await work(schema);
    };
    await prepareApp(config, shutdown, { logger, attach: true, prepare });
  } catch (error) {
    exitCode = 1;
    reportStartError(error, config, logger, shutdown);
  }
  await shutdown.run(exitCode);
}

interface Preparation {
  readonly logger: Parameters<typeof reportStartError>[2];
  /** The link to the primary, where this process is a worker. */
  readonly primary?: PrimaryLink;
  /** Whether an embedded database that another process runs will do. */
  readonly attach?: boolean;
  /** Done to the schema before the modules start. */
  readonly prepare?: (schema: Schema) => Promise<unknown>;
}

/** The service on its database, migrated unless somebody else does that; `shutdown` knows what is to be stopped. */
async function prepareApp(
  config: Config,
  shutdown: Shutdown,
  { logger, primary, attach = false, prepare = config.database.migrate ? migrate : undefined }: Preparation,
): Promise<App> {
  // What a worker has read itself may be newer: secrets change in their files.
  const configured = config.database.url ?? primary?.databaseUrl;
  const database = configured === undefined ? await openDatabase(config, shutdown, attach) : undefined;
  return createApp(config, configured ?? (database as EmbeddedDatabase).url, {
    logger,
    ...(primary && { primary }),
    beforeInit: (app) => {
      shutdown.of(stoppable(app, primary));
      return prepare?.(app.nest.get(Schema)) ?? Promise.resolve();
    },
  });
}

const stoppable = (app: App, primary: PrimaryLink | undefined): Stoppable =>
  primary ? new WorkerApp(app, primary) : new ServedApp(app);

/**
 * Has the first administrator made where the schema is there.
 *
 * @returns what waits until somebody else has migrated, where the configuration leaves that to others
 */
async function prepareData(
  app: App,
  config: Config,
): Promise<(tell: (line: string) => void) => Promise<void>> {
  const ensureAdmin = (): Promise<void> =>
    app.nest.get(FirstAdmin, { strict: false }).ensure(adminAnnouncement(config));
  if (config.database.migrate) {
    await ensureAdmin();
    return () => Promise.resolve();
  }
  app.lifecycle.missingMigrations = await app.nest.get(Schema).missing();
  return async (tell) => {
    await migratedByOthers(app, tell);
    await ensureAdmin();
  };
}

/** No request waits for the documents to be built. Tests start often, and ask for them seldom. */
async function prepareDocs(app: App, { environment }: Config): Promise<void> {
  if (environment !== 'test') await app.prepareDocs();
}

/** OpenTelemetry is loaded where it is asked for. */
async function startTracing({ isTraced }: Config, shutdown: Shutdown): Promise<void> {
  if (!isTraced) return;
  const tracing = await import('./operations/tracing/tracing.js');
  shutdown.ended(tracing.startTracing());
}

/** @returns where the metrics are; `undefined`: nowhere */
async function serveMetrics(
  { metrics }: App,
  { metricsPort, host }: Config,
  shutdown: Shutdown,
): Promise<string | undefined> {
  if (!metrics || metricsPort === undefined) return undefined;
  const server = new MetricsServer(() => metrics.metrics());
  shutdown.drained(() => server.close());
  return server.listen(metricsPort, addressOf(host));
}

const migrate = (schema: Schema): Promise<unknown> => schema.migrate();

/** Waits until somebody else has run every migration, and tells what is missing. */
async function migratedByOthers({ nest, lifecycle }: App, tell: (line: string) => void): Promise<void> {
  const schema = nest.get(Schema);
  let said = '';
  while (lifecycle.missingMigrations.length > 0) {
    const missing = lifecycle.missingMigrations.join(', ');
    if (missing !== said) tell(`Not ready      waits for \`npm run migrate\`: ${missing}`);
    said = missing;
    await sleep(MIGRATIONS_POLL_MS);
    lifecycle.missingMigrations = await schema.missing().catch(() => lifecycle.missingMigrations);
  }
}

const adminAnnouncement = ({ dataDir }: Config): AdminAnnouncement =>
  new AdminAnnouncement(process.stderr, dataDir);
