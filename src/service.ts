import { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from 'pino';

import { PRODUCT } from './config/product.js';
import type { EmbeddedDatabase } from '../packages/embedded-postgres-server/embedded-database.js';
import { App, createApp } from './app.factory.js';
import { Config } from './config/config.js';
import { loadConfig, loadConfigWithoutKeys } from './config/load-config.js';
import { ConfigError } from './config/read-config.js';
import { Schema } from './database/schema.js';
import { LogOutput } from './http/logging/log-output.js';
import { createLogger } from './http/logging/logger.js';
import { AdminAnnouncement } from './operations/admin-announcement.js';
import { LOG_LEVEL_SIGNAL, toggleDebug } from './operations/log-level.js';
import { MetricsServer } from './operations/metrics/metrics-server.js';
import { embeddedDatabaseMetrics } from './operations/metrics/store-metrics.js';
import { Shutdown } from './operations/shutdown.js';
import { explainStartError } from './operations/start-errors.js';
import { FirstAdmin } from './users/first-admin.js';

/** How often an instance that does not migrate looks for the migrations of others. */
const MIGRATIONS_POLL_MS = 500;

/**
 * Starts the service in this process: configuration, database, schema, first administrator, HTTP. Runs until a
 * signal stops it.
 */
export async function startService(): Promise<void> {
  const config = readConfigOrExit();
  const output = new LogOutput();
  const logger = createLogger(config.logLevel, output);
  const shutdown = new Shutdown(logger, config.shutdownDelayMs, output);
  process.on(LOG_LEVEL_SIGNAL, () => {
    toggleDebug(logger, config.logLevel);
  });
  try {
    const app = await prepareApp(config, logger, shutdown);
    const ensureAdmin = (): Promise<void> =>
      app.nest.get(FirstAdmin, { strict: false }).ensure(adminAnnouncement(config));
    if (config.database.migrate) await ensureAdmin();
    else app.lifecycle.missingMigrations = await app.nest.get(Schema).missing();
    const metricsAddress = await serveMetrics(app, config, shutdown);
    await app.nest.listen(config.port, addressOf(config.host));
    announce(app, config);
    if (metricsAddress) say(`Metrics        ${metricsAddress}`);
    if (config.database.migrate) return;
    await migratedByOthers(app);
    await ensureAdmin();
  } catch (error) {
    reportStartError(error, config, logger);
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
    const app = await prepareApp(config, logger, shutdown, { attach: true });
    await app.nest.get(FirstAdmin, { strict: false }).reset(adminAnnouncement(config));
    await shutdown.run(0);
  } catch (error) {
    reportStartError(error, config, logger);
    await shutdown.run(1);
  }
}

/**
 * Does some work on the schema, by the role of `DATABASE_URL`, and ends: `npm run migrate`. The service may run meanwhile.
 *
 * @param work gives the exit code
 */
export async function runOnSchema(work: (schema: Schema) => Promise<number>): Promise<void> {
  const config = readConfigOrExit(loadConfigWithoutKeys);
  const output = new LogOutput();
  const logger = createLogger('fatal', output);
  const shutdown = new Shutdown(logger, 0, output);
  let exitCode = 1;
  try {
    const prepare = async (schema: Schema): Promise<void> => {
      exitCode = await work(schema);
    };
    await prepareApp(config, logger, shutdown, { attach: true, prepare });
  } catch (error) {
    exitCode = 1;
    reportStartError(error, config, logger);
  }
  await shutdown.run(exitCode);
}

interface Preparation {
  /** Whether an embedded database that another process runs will do. */
  readonly attach?: boolean;
  /** Done to the schema before the modules start. */
  readonly prepare?: (schema: Schema) => Promise<unknown>;
}

/** The service on its database, migrated unless somebody else does that; `shutdown` knows what is to be stopped. */
async function prepareApp(
  config: Config,
  logger: Logger,
  shutdown: Shutdown,
  { attach = false, prepare = config.database.migrate ? migrate : undefined }: Preparation = {},
): Promise<App> {
  const database = config.database.url ? undefined : await openDatabase(config, attach);
  if (database) shutdown.last(() => database.stop());
  const app = await createApp(config, config.database.url ?? (database as EmbeddedDatabase).url, {
    logger,
    beforeInit: (app) => {
      shutdown.of(app);
      return prepare?.(app.nest.get(Schema)) ?? Promise.resolve();
    },
  });
  if (database) app.metrics?.add(embeddedDatabaseMetrics(database));
  return app;
}

/** @returns where the metrics are; `undefined`: nowhere */
async function serveMetrics(
  { metrics }: App,
  { metricsPort, host }: Config,
  shutdown: Shutdown,
): Promise<string | undefined> {
  if (!metrics || metricsPort === undefined) return undefined;
  const server = new MetricsServer(metrics);
  shutdown.drained(() => server.close());
  return server.listen(metricsPort, addressOf(host));
}

const migrate = (schema: Schema): Promise<unknown> => schema.migrate();

/** Waits until somebody else has run every migration, and says what is missing. */
async function migratedByOthers({ nest, lifecycle }: App): Promise<void> {
  const schema = nest.get(Schema);
  let said = '';
  while (lifecycle.missingMigrations.length > 0) {
    const missing = lifecycle.missingMigrations.join(', ');
    if (missing !== said) say(`Not ready      waits for \`npm run migrate\`: ${missing}`);
    said = missing;
    await sleep(MIGRATIONS_POLL_MS);
    lifecycle.missingMigrations = await schema.missing().catch(() => lifecycle.missingMigrations);
  }
}

function readConfigOrExit(load = loadConfig): Config {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(error.message);
    process.exit(1);
  }
}

/** Loads the package on demand: production has neither a use for it nor the package. */
async function openDatabase(config: Config, attach: boolean): Promise<EmbeddedDatabase> {
  const { openEmbeddedDatabase } = await import('../packages/embedded-postgres-server/embedded-database.js');
  return openEmbeddedDatabase({ directory: join(config.dataDir, 'database'), log: say, attach });
}

/** For `localhost` Fastify would open a second server on `::1`, which a shutdown would not drain. */
const addressOf = (host: string): string => (host === 'localhost' ? '127.0.0.1' : host);

const adminAnnouncement = ({ dataDir }: Config): AdminAnnouncement =>
  new AdminAnnouncement(process.stderr, dataDir);

function announce(app: App, config: Config): void {
  const { port, address, family } = app.nest.getHttpServer().address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  const base = `${config.tls ? 'https' : 'http'}://${host}:${port}`;
  say(`${PRODUCT.name} serves ${base}/api/v1`);
  if (config.docs) say(`Docs           ${base}/docs`);
}

/** A fault of the surroundings is one line; a bug goes to the log with its stack too. */
function reportStartError(error: unknown, config: Config, logger: Logger): void {
  const explanation = explainStartError(error, config);
  if (explanation === undefined) logger.fatal({ err: error }, 'the service could not start');
  say(
    `The service could not start: ${explanation ?? (error instanceof Error ? error.message : String(error))}`,
  );
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
