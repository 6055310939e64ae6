import { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { Logger } from 'pino';

import type { EmbeddedDatabase } from '../packages/embedded-postgres-server/embedded-database.js';
import { Config } from './config/config.js';
import { loadConfig } from './config/load-config.js';
import { PRODUCT } from './config/product.js';
import { ConfigError } from './config/read-config.js';
import { explainStartError } from './operations/start-errors.js';
import type { Shutdown } from './operations/shutdown.js';

/** The configuration; with faults the process ends, and prints them. */
export function readConfigOrExit(load = loadConfig): Config {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(error.message);
    process.exit(1);
  }
}

/**
 * Starts the embedded database. Loads the package on demand: production has neither a use for it nor the package.
 *
 * @param shutdown stops it, also while it starts
 * @param attach whether one that another process runs will do
 */
export async function openDatabase(
  config: Config,
  shutdown: Shutdown,
  attach = false,
): Promise<EmbeddedDatabase> {
  const { openEmbeddedDatabase } = await import('../packages/embedded-postgres-server/embedded-database.js');
  const starting = new AbortController();
  const directory = join(config.dataDir, 'database');
  const opened = openEmbeddedDatabase({ directory, log: say, attach, signal: starting.signal });
  shutdown.last(async () => {
    starting.abort();
    const database = await opened.catch(() => undefined);
    await database?.stop();
  });
  return opened;
}

/** For `localhost` Fastify would open a second server on `::1`, which a shutdown would not drain. */
export const addressOf = (host: string): string => (host === 'localhost' ? '127.0.0.1' : host);

/** Tells the person at the terminal where the service is. */
export function announce({ port, address, family }: AddressInfo, config: Config): void {
  const host = family === 'IPv6' ? `[${address}]` : address;
  const base = `${config.tls ? 'https' : 'http'}://${host}:${port}`;
  say(`${PRODUCT.name} serves ${base}/api/v1`);
  if (config.docs) say(`Docs           ${base}/docs`);
  if (config.docs) say(`Reference      ${base}/reference`);
}

/**
 * A fault of the surroundings is one line; a bug goes to the log with its stack too. A start that is stopped has not
 * failed.
 */
export function reportStartError(error: unknown, config: Config, logger: Logger, shutdown: Shutdown): void {
  if (shutdown.isRunning) return;
  const explanation = explainStartError(error, config);
  if (explanation === undefined) logger.fatal({ err: error }, 'the service could not start');
  say(
    `The service could not start: ${explanation ?? (error instanceof Error ? error.message : String(error))}`,
  );
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
