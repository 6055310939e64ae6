import cluster from 'node:cluster';
import { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Module, OnApplicationShutdown, Type } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AggregatorRegistry } from 'prom-client';

import { FirstAdmin } from '../accounts/first-admin.js';
import { App, createApp } from './app.factory.js';
import { loadConfig } from '../config/read-config.js';
import { DatabaseSchema } from '../database/database-schema.js';
import { Lifecycle } from '../operations/availability.js';
import { drain } from '../http/server/connections.js';
import {
  toListenHost,
  printAddresses,
  LoadApplication,
  openDatabase,
  openEmbedded,
  Program,
  say,
  serveMetrics,
} from './program.js';

const MIGRATIONS_POLL_MS = 500;
/** When connections that are left are cut, from the end of `SHUTDOWN_DELAY_MS`. */
const DRAIN_TIMEOUT_MS = 6_000;

export async function startService(program: Program, load: LoadApplication): Promise<void> {
  const { config } = program;
  if (config.isTraced) {
    const { startTracing } = await import('../operations/tracing.js');
    program.shutdown.defer('sending traces', 1_000, startTracing());
  }
  const app = await prepareApp(program, load);
  await finishStart(app, config.database.migrate);
  const { metrics } = app;
  let metricsAddress: string | undefined;
  if (metrics && cluster.isWorker) AggregatorRegistry.setRegistries(metrics);
  else if (metrics) metricsAddress = await serveMetrics(program, () => metrics.metrics());
  await listen(app, program);
  if (cluster.isPrimary)
    printAddresses(app.nest.getHttpServer().address() as AddressInfo, config, metricsAddress);
  if (!config.database.migrate) await waitForMigrations(app);
}

/** The service on its database, closed by the shutdown. @param prepare what is done to the schema before modules start */
async function prepareApp(
  program: Program,
  load: LoadApplication,
  prepare = async (schema: DatabaseSchema): Promise<void> => {
    if (program.config.database.migrate) await schema.migrate();
  },
): Promise<App> {
  const { config, logger, shutdown } = program;
  const url = config.database.url ?? (await openDatabase(program)).url;
  const { AppModule } = await load();
  return createApp(AppModule, config, url, {
    logger,
    beforeInit: (app) => {
      shutdown.defer('closing the pools', 1_500, () => app.nest.close());
      return prepare(app.nest.get(DatabaseSchema));
    },
  });
}

/** Creates the first administrator; where others migrate, has health say what they have still to run. */
async function finishStart({ nest }: App, migrates: boolean): Promise<void> {
  if (migrates) await nest.get(FirstAdmin).ensure();
  else nest.get(Lifecycle).missingMigrations = await nest.get(DatabaseSchema).pendingMigrations();
}

export async function resetAdminAndExit(program: Program, load: LoadApplication): Promise<void> {
  const { nest } = await prepareApp(program, load);
  await nest.get(FirstAdmin).ensure(true);
  await program.shutdown.run(0);
}

export async function migrateAndExit(program: Program, load: LoadApplication): Promise<void> {
  await prepareApp(program, load, async (schema) => {
    const ran = await schema.migrate();
    process.stdout.write(ran.map((name) => `${name}\n`).join('') || 'Every migration is in.\n');
  });
  await program.shutdown.run(0);
}

/** Opens the port. The shutdown closes it: readiness says so first, for as long as balancers are given to see it. */
async function listen({ nest, connections }: App, { config, shutdown }: Program): Promise<void> {
  const { shutdownDelayMs, port, host } = config;
  const server = nest.getHttpServer();
  shutdown.defer('answering requests', shutdownDelayMs + DRAIN_TIMEOUT_MS + 500, async (exitCode) => {
    nest.get(Lifecycle).isStopping = true;
    if (!server.listening) return;
    if (exitCode === 0) await sleep(shutdownDelayMs);
    await drain(server, connections, DRAIN_TIMEOUT_MS);
  });
  await nest.listen(port, toListenHost(host));
}

async function waitForMigrations({ nest }: App): Promise<void> {
  const lifecycle = nest.get(Lifecycle);
  const schema = nest.get(DatabaseSchema);
  let said = '';
  while (lifecycle.missingMigrations.length > 0) {
    const missing = lifecycle.missingMigrations.join(', ');
    if (missing !== said) say(`Not ready      waits for \`npm run migrate\`: ${missing}`);
    said = missing;
    await sleep(MIGRATIONS_POLL_MS);
    lifecycle.missingMigrations = await schema.pendingMigrations().catch(() => lifecycle.missingMigrations);
  }
  await nest.get(FirstAdmin).ensure();
}

/** How `PlinthFactory.create()` makes an application. */
export interface PlinthFactoryOptions {
  /** The variables of the configuration; by default those of the process, and outside production of `.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether missing migrations run first; by default as `DATABASE_MIGRATE` says. */
  readonly migrate?: boolean;
}

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
    /** The pools are closed by then. */
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
