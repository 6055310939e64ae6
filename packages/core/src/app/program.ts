import cluster from 'node:cluster';
import { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { Type } from '@nestjs/common';
import { Logger } from 'pino';

import { Config, LogLevel, mailFolder, serverUrl } from '../config/config.js';
import { acceptsAnyCertificate } from '../config/postgres-url.js';
import { PRODUCT } from '../config/product.js';
import { ConfigError, loadConfig } from '../config/read-config.js';
import { connectionAdvice } from '../database/connection-faults.js';
import { databaseErrorCode, translateDatabaseError } from '../database/database-error.js';
import { LogOutput } from '../http/logging/log-output.js';
import { createLogger } from '../http/logging/logger.js';
import { Shutdown } from '../operations/shutdown.js';

/** How long the steps of a shutdown may take. The log is flushed after them. The process ends within 10 seconds. */
const SHUTDOWN_TIMEOUT_MS = 9_000;
/** The same for a worker. It is shorter, because the worker must end before the primary kills it. */
const WORKER_SHUTDOWN_TIMEOUT_MS = 7_500;

/** Loads the root module of an application. A process that only supervises workers does not need it. */
export type LoadApplication = () => Promise<{ readonly AppModule: Type }>;

export interface Program {
  readonly config: Config;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}

/**
 * Runs a program. If it fails, the process prints why, stops what it started, and exits with 1.
 * @param logLevel replaces the level of the configuration
 */
export async function runProgram(
  work: (program: Program) => Promise<void>,
  logLevel?: LogLevel,
  load = loadConfig,
): Promise<void> {
  const config = loadConfigOrExit(load);
  const output = new LogOutput();
  const logger = createLogger(logLevel ?? config.logLevel, output);
  const endedMs = cluster.isWorker ? WORKER_SHUTDOWN_TIMEOUT_MS : SHUTDOWN_TIMEOUT_MS;
  const shutdown = new Shutdown(logger, output, config.shutdownDelayMs + endedMs);
  try {
    await work({ config, logger, shutdown });
  } catch (error) {
    // If a shutdown has interrupted the start, do not report the error: it is only a result of the shutdown.
    if (!shutdown.isRunning) reportStartError(error, logger);
    await shutdown.run(1);
  }
}

function loadConfigOrExit(load: () => Config): Config {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(error.message);
    process.exit(1);
  }
}

interface EmbeddedDatabases {
  readonly openEmbeddedDatabase: (options: {
    directory: string;
    log: (line: string) => void;
    signal?: AbortSignal;
  }) => Promise<{
    readonly url: string;
    /** @returns whether the server has ended. The server continues to run while another process uses it */
    stop(): Promise<boolean>;
  }>;
}

/**
 * Opens the embedded database of a data directory.
 * @throws ConfigError if @plinth/dev is not installed
 */
export async function openEmbedded(dataDir: string, log: (line: string) => void, signal?: AbortSignal) {
  // The type is `string`, so that the compiler does not resolve the package: @plinth/dev depends on this package.
  const name: string = '@plinth/dev/embedded-database';
  const { openEmbeddedDatabase } = await (import(name) as Promise<EmbeddedDatabases>).catch(
    (error: unknown) => {
      if (databaseErrorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
      throw new ConfigError(['DATABASE_URL: is required, because @plinth/dev is not installed']);
    },
  );
  return openEmbeddedDatabase({ directory: join(dataDir, 'database'), log, ...(signal && { signal }) });
}

/** Starts the embedded database, and stops it at the shutdown. */
export function openDatabase({ config, shutdown }: Program) {
  const starting = new AbortController();
  const opened = openEmbedded(config.dataDir, say, starting.signal);
  shutdown.defer('stopping the embedded database', SHUTDOWN_TIMEOUT_MS, async () => {
    starting.abort();
    const database = await opened.catch(() => undefined);
    await database?.stop();
  });
  return opened;
}

/**
 * Replaces `localhost` by its IPv4 address. Otherwise Fastify would open a second server on `::1`, which the shutdown
 * would not close.
 */
export const toListenHost = (host: string): string => (host === 'localhost' ? '127.0.0.1' : host);

/**
 * Serves the metrics on a separate port.
 * @returns the URL, or `undefined` without `METRICS_PORT`
 */
export async function serveMetrics(
  { config, shutdown }: Program,
  read: () => Promise<string>,
): Promise<string | undefined> {
  const { metricsPort: port, host } = config;
  if (port === undefined) return undefined;
  const { fastify } = await import('fastify');
  const { Registry } = await import('prom-client');
  const server = fastify({ forceCloseConnections: true });
  server.get('/metrics', async (_request, reply) =>
    reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await read()),
  );
  shutdown.defer('closing the metrics', 500, () => server.close());
  const address = await server.listen({ port, host: toListenHost(host) }).catch((error: unknown) => {
    throw new ConfigError([`METRICS_PORT: ${(error as Error).message}`]);
  });
  return `${address}/metrics`;
}

/** The message of a worker to the primary when it serves requests. It may have opened its port before, to answer health checks. */
export interface ServingMessage {
  readonly serving: AddressInfo;
}

/** Prints where the service and its pages can be reached. */
export function printAddresses(
  address: Pick<AddressInfo, 'port' | 'address'>,
  config: Config,
  metricsAddress: string | undefined,
): void {
  const { database, dataDir, mail, publicUrl, tls } = config;
  const base = serverUrl(address, tls !== undefined);
  const lines = [`${PRODUCT.name} serves ${base}/api/v1`];
  if (config.docs) lines.push(`Docs           ${base}/docs`, `Reference      ${base}/reference`);
  if (metricsAddress) lines.push(`Metrics        ${metricsAddress}`);
  const isMailOn = mail.delivery === 'on';
  if (isMailOn && !mail.smtpUrl)
    lines.push(`Mails          written to ${mailFolder(dataDir)}. Set SMTP_URL to send them`);
  else if (isMailOn && !publicUrl)
    lines.push(`Mails          contain links to ${base}. Set PUBLIC_URL to the address that users open`);
  if (database.url !== undefined && acceptsAnyCertificate(database.url))
    lines.push('Database       its certificate is not verified. Use sslmode=verify-full in DATABASE_URL');
  // Write all lines at once, so that a program that waits for the first line also gets the others.
  say(lines.join('\n'));
}

/** Prints why the start failed. A bug also goes to the log, with its stack. */
function reportStartError(error: unknown, logger: Logger): void {
  const { name, message } = error as Error;
  const code = databaseErrorCode(error) ?? '';
  const advice = connectionAdvice(error);
  const isEnvironmentError =
    advice !== undefined ||
    ['EmbeddedDatabaseError', 'ConfigError'].includes(name) ||
    ENVIRONMENT_ERROR_CODES.test(code) ||
    (translateDatabaseError(error)?.type.status ?? 500) !== 500;
  if (!isEnvironmentError) logger.fatal({ err: error }, 'the service could not start');
  // If a connection to several addresses fails, the error has no message.
  say(`The service could not start: ${[message || code, advice].filter(Boolean).join('. ')}`);
}

/** System error codes, such as `EADDRINUSE`, and SQLSTATEs of a rejected user, password or database. */
const ENVIRONMENT_ERROR_CODES = /^(E[A-Z]+|28...|3D000)$/;

/** Prints a line for the person who started the process. It is not part of the log. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
