import { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { EmbeddedDatabase } from '../packages/embedded-postgres-server/embedded-database.js';
import { App, createApp } from './app.factory.js';
import { Config } from './config/config.js';
import { loadConfig } from './config/load-config.js';
import { ConfigError } from './config/read-config.js';
import { Database } from './database/database.js';
import { createLogger } from './http/logging/logger.js';
import { Shutdown } from './operations/shutdown.js';
import { FirstAdmin } from './users/first-admin.js';

/**
 * Starts the service in this process: configuration, database, schema, first administrator, HTTP. Runs until a
 * signal stops it.
 */
export async function startService(): Promise<void> {
  const config = readConfigOrExit();
  const logger = createLogger(config.logLevel);
  const say = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  const shutdown = new Shutdown(logger);
  try {
    const database = config.database.url ? undefined : await openDatabase(config, say);
    if (database) shutdown.last(() => database.stop());
    const app = await createApp(config, config.database.url ?? (database as EmbeddedDatabase).url, logger);
    shutdown.of(app);
    await app.nest.get(Database).migrate();
    const admin = await app.nest.get(FirstAdmin, { strict: false }).ensure();
    await app.nest.listen(config.port, config.host);
    announce(app, config, admin, say);
  } catch (error) {
    logger.fatal({ err: error }, 'the service could not start');
    say(`The service could not start: ${error instanceof Error ? error.message : String(error)}`);
    await shutdown.run(1);
  }
}

function readConfigOrExit(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Loads the package on demand: production has neither a use for it nor the package. */
async function openDatabase(config: Config, say: (line: string) => void): Promise<EmbeddedDatabase> {
  const { openEmbeddedDatabase } = await import('../packages/embedded-postgres-server/embedded-database.js');
  return openEmbeddedDatabase({ directory: join(config.dataDir, 'database'), log: say });
}

function announce(
  app: App,
  config: Config,
  admin: { email: string; generatedPassword: string | undefined } | null,
  say: (line: string) => void,
): void {
  const { port, address, family } = app.nest.getHttpServer().address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  const base = `${config.tls ? 'https' : 'http'}://${host}:${port}`;
  say(`Plinth serves ${base}/api/v1`);
  say(`Docs           ${base}/docs`);
  if (!admin) return;
  say(`Admin          ${admin.email}`);
  if (admin.generatedPassword) say(`Password       ${admin.generatedPassword}  (shown this once)`);
}
