import { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { Logger } from 'pino';

import { PRODUCT } from './config/product.js';
import type { EmbeddedDatabase } from '../packages/embedded-postgres-server/embedded-database.js';
import { App, createApp } from './app.factory.js';
import { Config } from './config/config.js';
import { loadConfig } from './config/load-config.js';
import { ConfigError } from './config/read-config.js';
import { Schema } from './database/schema.js';
import { LogOutput } from './http/logging/log-output.js';
import { createLogger } from './http/logging/logger.js';
import { AdminAnnouncement } from './operations/admin-announcement.js';
import { Shutdown } from './operations/shutdown.js';
import { explainStartError } from './operations/start-errors.js';
import { FirstAdmin } from './users/first-admin.js';

/**
 * Starts the service in this process: configuration, database, schema, first administrator, HTTP. Runs until a
 * signal stops it.
 */
export async function startService(): Promise<void> {
  const config = readConfigOrExit();
  const output = new LogOutput();
  const logger = createLogger(config.logLevel, output);
  const shutdown = new Shutdown(logger, config.shutdownDelayMs, output);
  try {
    const app = await prepareApp(config, logger, shutdown);
    await app.nest.get(FirstAdmin, { strict: false }).ensure(adminAnnouncement(config));
    await app.nest.listen(config.port, addressOf(config.host));
    announce(app, config);
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
 * The service on a database whose migrations are in; `shutdown` knows what is to be stopped.
 *
 * @param options.attach whether an embedded database that another process runs will do
 */
async function prepareApp(
  config: Config,
  logger: Logger,
  shutdown: Shutdown,
  { attach = false } = {},
): Promise<App> {
  const database = config.database.url ? undefined : await openDatabase(config, attach);
  if (database) shutdown.last(() => database.stop());
  return createApp(config, config.database.url ?? (database as EmbeddedDatabase).url, {
    logger,
    beforeInit: (app) => {
      shutdown.of(app);
      return app.nest.get(Schema).migrate();
    },
  });
}

function readConfigOrExit(): Config {
  try {
    return loadConfig();
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
