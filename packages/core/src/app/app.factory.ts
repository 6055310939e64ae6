import { readFileSync } from 'node:fs';
import { IncomingMessage, RequestListener, Server } from 'node:http';

import { ExceptionFilter, Module, ModuleMetadata, Type, VersioningType } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { APP_FILTER, DiscoveryService, ModulesContainer, NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FastifyServerOptions } from 'fastify';
import { Logger } from 'pino';
import { Registry } from 'prom-client';

import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { Config } from '../config/config.js';
import { translateDatabaseError } from '../database/database-error.js';
import { DatabaseModule } from '../database/database.module.js';
import { DatabaseSchema } from '../database/database-schema.js';
import { Database } from '../database/database.js';
import { EntityTable } from '../database/entity-table.js';
import { errorCatalogue } from '../docs/document.js';
import { ApplicationAdapter, ApiExceptionFilter, registerAbortedResponses } from '../http/error-handling.js';
import { createLogger, NestLog } from '../http/logging/logger.js';
import { RequestLog } from '../http/logging/request-log.js';
import { RequestMetrics } from '../http/request-metrics.js';
import { versionedUrl, declaredVersions } from '../http/negotiation/versions.js';
import { readRequestId } from '../http/exchange.js';
import { Connections, LIMITS } from '../http/server/connections.js';
import { createThrottleReader } from './throttle-reader.factory.js';
import { createServer, ServerParts } from '../http/server/create-server.js';
import { ParserErrorResponder } from '../http/server/parser-error-responder.js';
import { readRoutePolicy } from '../routes/route-policy.js';
import { routableUrl } from '../http/target.js';
import { checkLists, checkSearches } from '../lists/check-lists.js';
import { CursorCodec } from '../lists/cursor.js';
import { ListDefinition } from '../lists/list-definition.js';
import { Lifecycle } from '../operations/availability.js';
import { HealthController } from '../operations/health.controller.js';
import { addAppMetrics } from '../operations/app-metrics.js';
import { Overload, PressureLimits } from '../operations/overload.js';
import { RedisConnection } from '../redis/redis-connection.js';
import { assertNoSecondCopy } from './copies.js';
import { registerPipeline } from './pipeline.js';
import { catchRejections } from './exception-filters.js';
import { completeRoutes } from './complete-routes.js';
import { serveGateways } from '../websockets/gateways.js';

export interface App {
  readonly nest: NestFastifyApplication;
  readonly connections: Connections;
  /** `undefined` without `METRICS_PORT`. */
  readonly metrics: Registry | undefined;
}

export interface AppOptions {
  readonly logger?: Logger;
  readonly pressure?: PressureLimits;
  readonly modules?: ModuleMetadata['imports'];
  /** Done before the hooks of modules begin (`onModuleInit`, `onApplicationBootstrap`): the schema is migrated here. */
  readonly beforeInit?: (app: App) => Promise<unknown>;
}

@Module({ controllers: [HealthController] })
class ProcessModule {}

/** Makes the service: the one way, for the program, tests and the document. @param databaseUrl migrated by `beforeInit` */
export async function createApp(
  application: Type,
  config: Config,
  databaseUrl: string,
  { logger = createLogger(config.logLevel), pressure, modules = [], beforeInit }: AppOptions = {},
): Promise<App> {
  assertNoSecondCopy();
  const { redisUrl } = config;
  const requestLog = new RequestLog(logger);
  const requestMetrics = config.metricsPort === undefined ? undefined : new RequestMetrics();
  const writer = new ApiExceptionFilter(translateDatabaseError, requestLog, requestMetrics);
  const rawErrors = new ParserErrorResponder(config.rateLimit, requestLog, requestMetrics);
  const connections = new Connections((response) => {
    requestLog.logCompleted(response);
    requestMetrics?.countCompleted(response);
  });
  const nest = await NestFactory.create<NestFastifyApplication>(
    {
      module: ProcessModule,
      global: true,
      providers: [
        { provide: APP_FILTER, useValue: writer },
        Lifecycle,
        { provide: RedisConnection, useFactory: () => redisUrl && RedisConnection.create(redisUrl) },
      ],
      exports: [RedisConnection],
      imports: [
        // Validated when the process started: see `readConfig()`.
        ConfigModule.forRoot({
          isGlobal: true,
          load: [() => config],
          ignoreEnvFile: true,
          skipProcessEnv: true,
        }),
        DatabaseModule.forRoot(databaseUrl, config),
        application,
        ...modules,
      ],
    },
    createAdapter(config, writer, { connections, parserErrors: rawErrors }),
    { bodyParser: false, logger: new NestLog(logger), abortOnError: false },
  );
  if (config.mail.delivery === 'off') removeMailControllers(nest);
  const metrics = requestMetrics?.registry;
  const database = nest.get(Database);
  if (metrics) addAppMetrics(metrics, connections, database);
  const app: App = { nest, connections, metrics };
  try {
    await configureApp(nest, config, writer, pressure);
    if (config.docs) (await import('../docs/serve-docs.js')).serveDocs(nest, config);
    await beforeInit?.(app);
    await nest.init();
    const server = nest.getHttpAdapter().getInstance();
    const tableOf = ({ entity }: ListDefinition): EntityTable => new EntityTable(database.metadataOf(entity));
    checkLists(server.policies.values(), tableOf);
    // Refuses a code that means two things.
    errorCatalogue(nest);
    // Of a schema that is behind, readiness tells.
    const isCurrent = (await nest.get(DatabaseSchema).pendingMigrations()).length === 0;
    if (isCurrent) await checkSearches(server.policies.values(), database);
    await server.ready();
  } catch (error) {
    await nest.close().catch(() => undefined);
    throw error;
  }
  return app;
}

async function configureApp(
  nest: NestFastifyApplication,
  config: Config,
  writer: ApiExceptionFilter,
  pressure: PressureLimits | undefined,
): Promise<void> {
  nest.enableVersioning({ type: VersioningType.URI, prefix: 'api/v' });
  const discovery = nest.get(DiscoveryService);
  const controllers = discovery.getControllers().map(({ metatype }) => metatype as Type);
  const enhancers = discovery.getProviders();
  const globals = enhancers.filter(({ subtype }) => subtype === 'interceptor');
  const guards = enhancers.filter(({ subtype }) => subtype === 'guard');
  await completeRoutes(controllers, globals, await createThrottleReader(nest, guards));
  for (const { subtype, metatype, instance } of enhancers)
    if (subtype === 'filter') catchRejections(isFilterClass(metatype) ? metatype : instance);
  nest.get(AuthSchemes).discover();

  const server = nest.getHttpAdapter().getInstance();
  server.decorate('versions', declaredVersions(controllers));
  const { privateKeyFiles, secrets } = config.jwt;
  // By secrets that all instances have, the first of them first: those of tokens.
  const keys = [...privateKeyFiles.map((file) => readFileSync(file, 'utf8')), ...secrets];
  server.decorate('cursors', new CursorCodec(keys));
  server.setErrorHandler(writer.write.bind(writer));
  registerAbortedResponses(server, writer);
  await registerPipeline(nest, config, new Overload(config.maxInFlight, pressure));
  const providers = discovery.getProviders().flatMap(({ metatype }) => metatype ?? []);
  await serveGateways(nest, providers);
}

/** Whether a provider is a class of filters, and no factory of one. */
const isFilterClass = (metatype: unknown): boolean =>
  typeof (metatype as { prototype?: Partial<ExceptionFilter> } | null)?.prototype?.catch === 'function';

/** Without mails their controllers are not there: neither routes nor documents know of them. */
function removeMailControllers(nest: NestFastifyApplication): void {
  for (const { controllers } of nest.get(ModulesContainer).values())
    for (const [token, { metatype }] of controllers)
      if (metatype && readRoutePolicy(metatype).needsMail) controllers.delete(token);
}

/** Fastify takes a count of hops and trusts nobody for it: as a function it counts. */
function toTrustProxy(proxies: Config['trustProxy']): FastifyServerOptions['trustProxy'] {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxies && [...proxies];
}

function createAdapter(config: Config, writer: ApiExceptionFilter, parts: ServerParts): ApplicationAdapter {
  const adapter: ApplicationAdapter = new ApplicationAdapter({
    serverFactory: (listener: RequestListener): Server => createServer(config, parts, listener),
    bodyLimit: LIMITS.bodyBytes,
    // An id of any length is looked up, and not found: the URL's own bound is the one that counts.
    routerOptions: { maxParamLength: LIMITS.urlBytes },
    trustProxy: toTrustProxy(config.trustProxy),
    genReqId: readRequestId,
    return503OnClosing: false,
    forceCloseConnections: false,
    rewriteUrl: (request: IncomingMessage): string =>
      routableUrl(request, () => versionedUrl(request, adapter.getInstance().versions)),
    clientErrorHandler: parts.parserErrors.answerClientError,
    frameworkErrors: writer.write.bind(writer),
  });
  return adapter;
}
