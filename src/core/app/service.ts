import cluster from 'node:cluster';
import { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { App, createApp } from './app.factory.js';
import { Config } from '../config/config.js';
import { Schema } from '../database/schema.js';
import { drain } from '../http/server/drain.js';
import { AdminAnnouncement, Administrator } from '../operations/admin-announcement.js';
import { answerPrimary } from '../operations/metrics/app-metrics.js';
import { MetricsServer } from '../operations/metrics/metrics-server.js';
import { addressOf, announce, LoadApplication, openDatabase, Program, runProgram, say } from './program.js';

/** How often an instance that does not migrate looks for the migrations of others. */
const MIGRATIONS_POLL_MS = 500;
/** When connections that are left are cut, from the end of `SHUTDOWN_DELAY_MS`. */
const DRAINED_MS = 6_000;
/** A worker ends before the primary kills it. */
const WORKER_ENDED_MS = 7_500;

/**
 * Starts the service in this process: database, schema, first administrator, HTTP. It may be a worker of
 * `startPrimary`, on its port.
 */
export const startService = (config: Config, load: LoadApplication): Promise<void> =>
  runProgram(config, (program) => start(program, load), cluster.isWorker ? { endedMs: WORKER_ENDED_MS } : {});

async function start(program: Program, load: LoadApplication): Promise<void> {
  const { config } = program;
  await startTracing(program);
  const app = await prepareApp(program, load);
  if (config.database.migrate) await ensureAdmin(app, config);
  else app.lifecycle.missingMigrations = await app.nest.get(Schema).missing();
  // No request waits for the documents to be built. Tests start often, and ask for them seldom.
  if (config.environment !== 'test') await app.prepareDocs();
  const metricsAddress = await serveMetrics(app, program);
  await listen(app, program);
  if (cluster.isPrimary) announce(app.nest.getHttpServer().address() as AddressInfo, config);
  if (metricsAddress) say(`Metrics        ${metricsAddress}`);
  if (!config.database.migrate) await waitForMigrations(app, config);
}

/**
 * The service on its database. It is closed by the shutdown.
 *
 * @param prepare done to the schema before the modules start: by default it is migrated, unless somebody else does that
 */
export async function prepareApp(
  program: Program,
  load: LoadApplication,
  prepare: (schema: Schema) => Promise<unknown> = program.config.database.migrate ? migrate : doNothing,
): Promise<App> {
  const { config, logger, shutdown } = program;
  const url = config.database.url ?? (await openDatabase(program)).url;
  const { AppModule } = await load();
  return createApp(AppModule, config, url, {
    logger,
    beforeInit: (app) => {
      shutdown.defer('closing the pools', 1_500, () => app.nest.close());
      return prepare(app.nest.get(Schema));
    },
  });
}

const migrate = (schema: Schema): Promise<unknown> => schema.migrate();
const doNothing = (): Promise<void> => Promise.resolve();

/** Announces the administrator at the terminal, or by a file. */
const adminAnnouncement = ({ dataDir }: Config): AdminAnnouncement =>
  new AdminAnnouncement(process.stderr, dataDir);

const ensureAdmin = ({ nest }: App, config: Config): Promise<void> =>
  nest.get(Administrator, { strict: false }).ensure(adminAnnouncement(config));

/** Gives the administrator of the configuration a new password, and ends. */
export const resetAdminOf = (config: Config, load: LoadApplication): Promise<void> =>
  runProgram(
    config,
    async (program) => {
      const { nest } = await prepareApp(program, load);
      await nest.get(Administrator, { strict: false }).ensure(adminAnnouncement(config), true);
      await program.shutdown.run(0);
    },
    { logLevel: 'fatal' },
  );

/** Opens the port. The shutdown closes it: readiness says so first, for as long as balancers are given to see it. */
async function listen({ nest, lifecycle, connections }: App, { config, shutdown }: Program): Promise<void> {
  const { shutdownDelayMs, port, host } = config;
  const server = nest.getHttpServer();
  shutdown.defer('answering requests', shutdownDelayMs + DRAINED_MS + 500, async (exitCode) => {
    lifecycle.isStopping = true;
    if (!server.listening) return;
    if (exitCode === 0) await sleep(shutdownDelayMs);
    await drain(server, connections, DRAINED_MS);
  });
  await nest.listen(port, addressOf(host));
}

/** OpenTelemetry is loaded where it is asked for. */
async function startTracing({ config, shutdown }: Program): Promise<void> {
  if (!config.isTraced) return;
  const tracing = await import('../operations/tracing/tracing.js');
  shutdown.defer('sending traces', 1_000, tracing.startTracing());
}

/** Serves the metrics, or gives them to the primary. @returns where they are served here; `undefined`: nowhere */
async function serveMetrics(
  { metrics }: App,
  { config: { metricsPort, host }, shutdown }: Program,
): Promise<string | undefined> {
  if (!metrics || metricsPort === undefined) return undefined;
  if (cluster.isWorker) {
    answerPrimary(metrics);
    return undefined;
  }
  const server = new MetricsServer(() => metrics.metrics());
  shutdown.defer('closing the metrics', 500, () => server.close());
  return server.listen(metricsPort, addressOf(host));
}

/** Waits until somebody else has run every migration, and tells what is missing. */
async function waitForMigrations(app: App, config: Config): Promise<void> {
  const { nest, lifecycle } = app;
  const schema = nest.get(Schema);
  let said = '';
  while (lifecycle.missingMigrations.length > 0) {
    const missing = lifecycle.missingMigrations.join(', ');
    if (missing !== said) say(`Not ready      waits for \`npm run migrate\`: ${missing}`);
    said = missing;
    await sleep(MIGRATIONS_POLL_MS);
    lifecycle.missingMigrations = await schema.missing().catch(() => lifecycle.missingMigrations);
  }
  await ensureAdmin(app, config);
}
