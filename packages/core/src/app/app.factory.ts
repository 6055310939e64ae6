import { readFileSync } from 'node:fs';
import { IncomingMessage, RequestListener, Server } from 'node:http';

import { ExceptionFilter, ModuleMetadata, Type, VersioningType } from '@nestjs/common';
import { DiscoveryService, ModulesContainer, NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FastifyServerOptions } from 'fastify';
import { Logger } from 'pino';
import { Registry } from 'prom-client';

import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { Config } from '../config/config.js';
import { giveUpSoon } from '../database/database-away.js';
import { translateDatabaseError } from '../database/database-error.js';
import { Database } from '../database/database.js';
import { EntityTable } from '../database/entity-table.js';
import { DatabaseSchema } from '../database/database-schema.js';
import { errorCatalogue } from '../docs/error-catalogue.js';
import { ApiExceptionFilter, registerAbortedResponses } from '../http/errors/api-exception.filter.js';
import { createLogger, NestLog } from '../http/logging/logger.js';
import { RequestLog } from '../http/logging/request-log.js';
import { API_VERSIONS, ApiVersions } from '../http/negotiation/api-versions.js';
import { servedVersions, versionedUrl } from '../http/negotiation/versions.js';
import { readRequestId } from '../http/request-id.js';
import { RequestMetrics } from '../http/request-metrics.js';
import { checkRows } from '../resources/check-rows.js';
import { readRoutePolicy } from '../routes/route-policy.js';
import { Connections, LIMITS } from '../http/server/connections.js';
import { DatabaseWait } from './database-wait.js';
import { createThrottleReader } from './throttle-reader.factory.js';
import { createServer, ServerParts } from '../http/server/create-server.js';
import { ParserErrorResponder } from '../http/server/parser-error-responder.js';
import { routableUrl } from '../http/target.js';
import { JobQueues } from '../jobs/job-queues.js';
import { JobWorkers } from '../jobs/job-workers.js';
import { checkLists, checkSearches } from '../lists/check-lists.js';
import { CursorCodec } from '../lists/cursor.js';
import { ListDefinition } from '../lists/list-definition.js';
import { addAppMetrics } from '../operations/app-metrics.js';
import { addJobMetrics } from '../operations/job-metrics.js';
import { Overload, PressureLimits } from '../operations/overload.js';
import { Readiness } from '../operations/readiness.js';
import { RedisConnection } from '../redis/redis-connection.js';
import { catchRejections } from './exception-filters.js';
import { completeRoutes } from './complete-routes.js';
import { serveGateways } from '../websockets/gateways.js';
import { ApplicationAdapter } from './application.adapter.js';
import { assertNoSecondCopy } from './copies.js';
import { registerPipeline } from './pipeline.js';
import { RootModule } from './root.module.js';

export interface App {
  readonly nest: NestFastifyApplication;
  readonly connections: Connections;
  /** `undefined` without `METRICS_PORT`. */
  readonly metrics: Registry | undefined;
}

export interface AppOptions {
  readonly logger?: Logger;
  readonly pressure?: PressureLimits;
  /** Decides how the process waits while the database is away. By default, `createApp()` gives up after five attempts. */
  readonly wait?: DatabaseWait;
  /** Modules in addition to the application's own. */
  readonly modules?: ModuleMetadata['imports'];
  /** Runs before `onModuleInit` and `onApplicationBootstrap` of any module. Migrations run here. */
  readonly beforeInit?: (app: App) => Promise<unknown>;
}

/** The parts that are created before the NestJS application, because they also handle requests that never reach it. */
interface AppParts extends ServerParts {
  readonly filter: ApiExceptionFilter;
  readonly requestMetrics: RequestMetrics | undefined;
}

/**
 * Creates the service. The program, the tests and the export of the OpenAPI document all use this function.
 * @param application the root module of the application
 * @param databaseUrl the URL of the database. Some migrations may not have run yet, because `beforeInit` can run them
 * @throws Error if a declaration of the application cannot be served. The message names the declaration
 */
export async function createApp(
  application: Type,
  config: Config,
  databaseUrl: string,
  { logger = createLogger(config.logLevel), pressure, modules = [], beforeInit, wait }: AppOptions = {},
): Promise<App> {
  assertNoSecondCopy();

  // Logs, metrics and error responses.
  const parts = createParts(config, logger);
  const { filter, connections, requestMetrics } = parts;

  // Modules.
  const nest = await NestFactory.create<NestFastifyApplication>(
    RootModule.forApplication({
      application,
      modules,
      config,
      databaseUrl,
      filter,
      onDatabaseAway: wait?.pause ?? giveUpSoon(),
    }),
    createAdapter(config, parts, wait),
    { bodyParser: false, logger: new NestLog(logger), abortOnError: false },
  );
  if (config.mail.delivery === 'off') removeMailControllers(nest);
  const metrics = requestMetrics?.registry;
  if (metrics) {
    addAppMetrics(metrics, {
      connections,
      database: nest.get(Database),
      readiness: nest.get(Readiness),
      redis: nest.get<RedisConnection | undefined>(RedisConnection),
    });
    addJobMetrics(metrics, nest.get(Database), nest.get(JobWorkers), nest.get(JobQueues).names);
  }
  const app: App = { nest, connections, metrics };

  try {
    // Policies, hooks and documents, before NestJS registers the routes.
    await completePolicies(nest);
    decorateServer(nest, config, filter);
    await registerPipeline(nest, config, new Overload(config.maxInFlight, pressure));
    await serveGateways(nest, providerClasses(nest));
    if (config.docs) (await import('../docs/serve-docs.js')).serveDocs(nest, config);

    // Migrations, then routes and the hooks of modules.
    await beforeInit?.(app);
    await nest.init();

    // Checks of what the application declares.
    await checkDeclarations(nest);
    requestMetrics?.expectErrors(errorCatalogue(nest));
    await nest.getHttpAdapter().getInstance().ready();
  } catch (error) {
    await nest.close().catch(() => undefined);
    throw error;
  }
  return app;
}

function createParts({ metricsPort, rateLimit }: Config, logger: Logger): AppParts {
  const requestLog = new RequestLog(logger);
  const requestMetrics = metricsPort === undefined ? undefined : new RequestMetrics();
  return {
    filter: new ApiExceptionFilter(translateDatabaseError, requestLog, requestMetrics),
    parserErrors: new ParserErrorResponder(rateLimit, requestLog, requestMetrics),
    connections: new Connections((response) => {
      requestLog.logCompleted(response);
      requestMetrics?.countCompleted(response);
    }),
    requestMetrics,
  };
}

function createAdapter(config: Config, parts: AppParts, wait?: DatabaseWait): ApplicationAdapter {
  const create = (listener: RequestListener): Server => createServer(config, parts, listener);
  const adapter: ApplicationAdapter = new ApplicationAdapter({
    serverFactory: (listener: RequestListener): Server =>
      wait ? wait.createServer(create, listener) : create(listener),
    bodyLimit: LIMITS.bodyBytes,
    // The router accepts an id of any length, so that an id that is too long gets the 404 of its resource. Only the
    // length of the whole URL is limited.
    routerOptions: { maxParamLength: LIMITS.urlBytes },
    trustProxy: toTrustProxy(config.trustProxy),
    genReqId: readRequestId,
    return503OnClosing: false,
    forceCloseConnections: false,
    rewriteUrl: (request: IncomingMessage): string =>
      routableUrl(request, () => versionedUrl(request, adapter.getInstance().versions)),
    clientErrorHandler: parts.parserErrors.answerClientError,
    frameworkErrors: parts.filter.write.bind(parts.filter),
  });
  return adapter;
}

/** Turns a number of hops into a function, because Fastify trusts no proxy if it gets the number itself. */
function toTrustProxy(proxies: Config['trustProxy']): FastifyServerOptions['trustProxy'] {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxies && [...proxies];
}

/** Removes the controllers that need mails, so that the service neither serves nor documents their routes. */
function removeMailControllers(nest: NestFastifyApplication): void {
  for (const { controllers } of nest.get(ModulesContainer).values()) {
    for (const [token, { metatype }] of controllers)
      if (metatype && readRoutePolicy(metatype).needsMail) controllers.delete(token);
  }
}

const controllerClasses = (nest: NestFastifyApplication): Type[] =>
  nest
    .get(DiscoveryService)
    .getControllers()
    .map(({ metatype }) => metatype as Type);

const providerClasses = (nest: NestFastifyApplication): object[] =>
  nest
    .get(DiscoveryService)
    .getProviders()
    .flatMap(({ metatype }) => metatype ?? []);

/** Completes the policies of the routes, and wraps the filters and schemes that the application provides. */
async function completePolicies(nest: NestFastifyApplication): Promise<void> {
  nest.enableVersioning({ type: VersioningType.URI, prefix: 'api/v' });
  const providers = nest.get(DiscoveryService).getProviders();
  const guards = providers.filter(({ subtype }) => subtype === 'guard');
  await completeRoutes(
    controllerClasses(nest),
    providers.filter(({ subtype }) => subtype === 'interceptor'),
    await createThrottleReader(nest, guards),
    nest.get<ApiVersions>(API_VERSIONS),
  );
  for (const { subtype, metatype, instance } of providers)
    if (subtype === 'filter') catchRejections(isFilterClass(metatype) ? metatype : instance);
  nest.get(AuthSchemes).discover();
}

/** Whether a provider is a filter class. Otherwise it is a factory that made the filter. */
const isFilterClass = (metatype: unknown): boolean =>
  typeof (metatype as { prototype?: Partial<ExceptionFilter> } | null)?.prototype?.catch === 'function';

/** Adds to the Fastify server the properties that its hooks read, and sets its error handler. */
function decorateServer(nest: NestFastifyApplication, { jwt }: Config, filter: ApiExceptionFilter): void {
  const server = nest.getHttpAdapter().getInstance();
  server.decorate('versions', servedVersions(controllerClasses(nest)));
  // Cursors are signed with the keys for tokens, because all instances have these keys.
  const keys = [...jwt.privateKeyFiles.map((file) => readFileSync(file, 'utf8')), ...jwt.secrets];
  server.decorate('cursors', new CursorCodec(keys));
  server.setErrorHandler(filter.write.bind(filter));
  registerAbortedResponses(server, filter);
}

/**
 * Refuses declarations that cannot be served.
 * @throws Error if `rows`, a list, a search or an error code cannot be served
 */
async function checkDeclarations(nest: NestFastifyApplication): Promise<void> {
  const { policies } = nest.getHttpAdapter().getInstance();
  const database = nest.get(Database);
  const tableOf = ({ entity }: ListDefinition): EntityTable => new EntityTable(database.metadataOf(entity));
  checkRows(policies.values(), database);
  checkLists(policies.values(), tableOf);
  // Throws if a code has two meanings.
  errorCatalogue(nest);
  // Skip this check while migrations are missing. The readiness check reports them.
  const isCurrent = (await nest.get(DatabaseSchema).pendingMigrations()).length === 0;
  if (isCurrent) await checkSearches(policies.values(), database);
}
