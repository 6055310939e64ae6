import cluster from 'node:cluster';
import { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Module, OnApplicationShutdown, Type } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';

import { FirstAdmin } from '../accounts/first-admin.js';
import { App, createApp } from './app.factory.js';
import { loadConfig } from '../config/read-config.js';
import { DatabaseWait } from './database-wait.js';
import { JobWorkers } from '../jobs/job-workers.js';
import { giveUpSoon, retryWhileAway } from '../database/database-away.js';
import { DatabaseSchema } from '../database/database-schema.js';
import { Lifecycle } from '../operations/availability.js';
import { drain } from '../http/server/connections.js';
import {
  ServingMessage,
  toListenHost,
  printAddresses,
  LoadApplication,
  openDatabase,
  openEmbedded,
  Program,
  say,
  serveMetrics,
} from './program.js';
import { sendMetricsToPrimary } from './worker-metrics.js';

const MIGRATIONS_POLL_MS = 500;
/** How long after `SHUTDOWN_DELAY_MS` the remaining connections are cut. */
const DRAIN_TIMEOUT_MS = 6_000;
/** How long after `SHUTDOWN_DELAY_MS` the remaining jobs are interrupted. A job then has a second to end. */
const JOBS_TIMEOUT_MS = 4_500;

/**
 * Starts the service. Runs missing migrations first if `DATABASE_MIGRATE` is `true`. Otherwise the service is not ready
 * until another program has run them.
 */
export async function startService(program: Program, load: LoadApplication): Promise<void> {
  const { config } = program;
  if (config.isTraced) {
    const { startTracing } = await import('../operations/tracing.js');
    program.shutdown.defer('sending traces', 1_000, startTracing());
  }
  const wait = new DatabaseWait(program);
  const app = await prepareApp(program, load, { wait });
  await retryWhileAway(() => finishStart(app, config.database.migrate), wait.pause);
  const { metrics } = app;
  let metricsAddress: string | undefined;
  if (metrics && cluster.isWorker) sendMetricsToPrimary(program, metrics);
  else if (metrics) metricsAddress = await serveMetrics(program, () => metrics.metrics());
  await listen(app, program, wait);
  const address = app.nest.getHttpServer().address() as AddressInfo;
  if (cluster.isWorker) process.send?.({ serving: address } satisfies ServingMessage);
  if (cluster.isPrimary) printAddresses(address, config, metricsAddress);
  if (!config.database.migrate) await waitForMigrations(app);
}

interface PrepareOptions {
  /** Decides how the process waits while the database is away. By default, it gives up after five attempts. */
  readonly wait?: DatabaseWait;
  /** Runs before the lifecycle hooks of modules. By default, it runs missing migrations if `DATABASE_MIGRATE` is `true`. */
  readonly prepare?: (app: NestFastifyApplication) => Promise<void>;
}

/** Creates the service, and closes it at the shutdown. */
async function prepareApp(
  program: Program,
  load: LoadApplication,
  {
    wait,
    prepare = async (app) => {
      if (program.config.database.migrate) await app.get(DatabaseSchema).migrate();
    },
  }: PrepareOptions = {},
): Promise<App> {
  const { config, logger, shutdown } = program;
  const url = config.database.url ?? (await openDatabase(program)).url;
  const { AppModule } = await load();
  return createApp(AppModule, config, url, {
    logger,
    ...(wait && { wait }),
    beforeInit: ({ nest }) => {
      shutdown.defer('closing the pools', 1_500, () => nest.close());
      return retryWhileAway(() => prepare(nest), wait?.pause ?? giveUpSoon());
    },
  });
}

/**
 * Creates the first administrator. If another program runs the migrations, only records which are missing, because
 * readiness reports those.
 */
async function finishStart({ nest }: App, migrates: boolean): Promise<void> {
  if (migrates) await nest.get(FirstAdmin).ensure();
  else nest.get(Lifecycle).missingMigrations = await nest.get(DatabaseSchema).pendingMigrations();
}

/** Gives the first administrator a new password, then ends the process. */
export async function resetAdminAndExit(program: Program, load: LoadApplication): Promise<void> {
  const { nest } = await prepareApp(program, load, {
    prepare: async (app) => {
      app.get(JobWorkers).isEnabled = false;
      if (program.config.database.migrate) await app.get(DatabaseSchema).migrate();
    },
  });
  await nest.get(FirstAdmin).ensure(true);
  await program.shutdown.run(0);
}

/** Runs the missing migrations, then ends the process. */
export async function migrateAndExit(program: Program, load: LoadApplication): Promise<void> {
  await prepareApp(program, load, {
    prepare: async (app) => {
      app.get(JobWorkers).isEnabled = false;
      const ran = await app.get(DatabaseSchema).migrate();
      process.stdout.write(ran.map((name) => `${name}\n`).join('') || 'No pending migrations.\n');
    },
  });
  await program.shutdown.run(0);
}

/**
 * Opens the port. At the shutdown, readiness fails and no further job starts at once, and the port closes after
 * `SHUTDOWN_DELAY_MS`.
 */
async function listen(
  { nest, connections }: App,
  { config, shutdown }: Program,
  wait: DatabaseWait,
): Promise<void> {
  const { shutdownDelayMs, port, host } = config;
  const server = nest.getHttpServer();
  shutdown.defer('answering requests', shutdownDelayMs + DRAIN_TIMEOUT_MS + 500, async (exitCode) => {
    nest.get(Lifecycle).isStopping = true;
    const delayMs = exitCode === 0 ? shutdownDelayMs : 0;
    const jobs = nest.get(JobWorkers).stop(delayMs + JOBS_TIMEOUT_MS);
    if (server.listening) {
      await sleep(delayMs);
      await drain(server, connections, DRAIN_TIMEOUT_MS);
    }
    await jobs;
  });
  await nest.listen(wait.end() ?? port, toListenHost(host));
}

/** Waits until another program has run the missing migrations, then creates the first administrator. */
async function waitForMigrations({ nest }: App): Promise<void> {
  const lifecycle = nest.get(Lifecycle);
  const schema = nest.get(DatabaseSchema);
  let printed = '';
  while (lifecycle.missingMigrations.length > 0) {
    const missing = lifecycle.missingMigrations.join(', ');
    if (missing !== printed) say(`Not ready      waits for \`npm run migrate\`: ${missing}`);
    printed = missing;
    await sleep(MIGRATIONS_POLL_MS);
    lifecycle.missingMigrations = await schema.pendingMigrations().catch(() => lifecycle.missingMigrations);
  }
  await nest.get(FirstAdmin).ensure();
}

/** The options of `PlinthFactory.create()`. */
export interface PlinthFactoryOptions {
  /** The environment variables. By default, those of the process and, except in production, those of `.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether missing migrations run first. The default is the value of `DATABASE_MIGRATE`. */
  readonly migrate?: boolean;
}

/**
 * Creates an application for `PlinthFactory`. Unlike `startService()`, it neither opens a port nor shuts down on a
 * signal.
 */
export async function createApplication(
  AppModule: Type,
  { env, migrate }: PlinthFactoryOptions,
): Promise<NestFastifyApplication> {
  const config = loadConfig(env);
  const { url: configured, migrate: migratesByDefault } = config.database;
  const migrates = migrate ?? migratesByDefault;
  const embedded = configured === undefined ? await openEmbedded(config.dataDir, say) : undefined;

  @Module({})
  class EmbeddedDatabaseModule implements OnApplicationShutdown {
    /** Runs after the pools have been closed. */
    async onApplicationShutdown(): Promise<void> {
      await embedded?.stop();
    }
  }
  let app: App | undefined;
  try {
    app = await createApp(AppModule, config, configured ?? embedded?.url ?? '', {
      modules: [EmbeddedDatabaseModule],
      beforeInit: async ({ nest }) => {
        if (migrates) await nest.get(DatabaseSchema).migrate();
      },
    });
    await finishStart(app, migrates);
    return app.nest;
  } catch (error) {
    await app?.nest.close();
    await embedded?.stop();
    throw error;
  }
}
