import { IncomingMessage, RequestListener, Server } from 'node:http';

import { Type, VersioningType } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FastifyReply, FastifyRequest } from 'fastify';
import { Logger } from 'pino';
import { Registry } from 'prom-client';

import { AppModule, ModuleImports } from './app.module.js';
import { AuthSchemes } from './core/access/schemes/auth-schemes.js';
import { Authentication } from './auth/authentication.js';
import { SigningKeys } from './auth/tokens/signing-keys.js';
import { Config } from './core/config/config.js';
import { translateDatabaseError } from './core/database/database-error.js';
import { Database } from './core/database/database.js';
import { Table } from './core/database/table.js';
import { serveDocs } from './core/docs/serve-docs.js';
import { GrantsRepository } from './core/grants/grants.repository.js';
import { ErrorWriter, registerErrorHandling } from './core/http/error-handling.js';
import {
  ErrorTranslator,
  translateFrameworkError,
  translateHttpException,
} from './core/http/errors/foreign-errors.js';
import { ResponseHeaders } from './core/http/headers.js';
import { beginExchange } from './core/http/exchange.js';
import { createLogger, NestLog } from './core/http/logging/logger.js';
import { RequestLog } from './core/http/logging/request-log.js';
import { RequestMetrics } from './core/http/request-metrics.js';
import { routeByVersion } from './core/http/negotiation/versions.js';
import { ApplicationAdapter } from './core/http/application-adapter.js';
import { CounterStorage } from './core/http/rate-limit/counter-storage.js';
import { readThrottles } from './core/http/rate-limit/throttles.js';
import { Connections } from './core/http/server/connections.js';
import { createServer, ServerParts } from './core/http/server/create-server.js';
import { RawErrors } from './core/http/server/raw-errors.js';
import { serverOptions } from './core/http/server/server-options.js';
import { readableUrl } from './core/http/target.js';
import { checkLists } from './core/lists/check-lists.js';
import { CursorCodec } from './core/lists/cursor.js';
import { ListDefinition } from './core/lists/list-definition.js';
import { Lifecycle } from './core/operations/availability.js';
import { addAppMetrics } from './core/operations/metrics/app-metrics.js';
import { Overload } from './core/operations/overload.js';
import { Pressure, PRESSURE_LIMITS, PressureLimits } from './core/operations/pressure.js';
import { registerPipeline } from './pipeline.js';
import { registerStreams } from './core/routes/event-stream.js';
import { OrdinaryRoutes } from './core/routes/ordinary-routes.js';
import { Gateways } from './core/websockets/gateways.js';

/** Who is asked what to tell a client of an error that was not made for it, in order. */
const TRANSLATORS: readonly ErrorTranslator[] = [
  translateDatabaseError,
  translateHttpException,
  translateFrameworkError,
];

/** A service that is ready to listen, and what stops it. */
export interface App {
  readonly nest: NestFastifyApplication;
  readonly lifecycle: Lifecycle;
  readonly connections: Connections;
  /** `undefined` without `METRICS_PORT`. */
  readonly metrics: Registry | undefined;
  /** Builds the OpenAPI documents; else their first request does, and keeps others waiting. */
  prepareDocs: () => Promise<unknown>;
}

/** Options for a service that shares its process, with a test for one. */
export interface AppOptions {
  readonly logger?: Logger;
  readonly pressure?: PressureLimits;
  /** Modules beside those of the service. */
  readonly modules?: ModuleImports;
  /** Done before the hooks of modules begin (`onModuleInit`, `onApplicationBootstrap`): the schema is migrated here. */
  readonly beforeInit?: (app: App) => Promise<unknown>;
}

/**
 * Makes the service: the one way it is made, for the program, tests, benchmarks and the OpenAPI document.
 *
 * @param databaseUrl of a server whose migrations are in, at the latest by `beforeInit`
 */
export async function createApp(config: Config, databaseUrl: string, options: AppOptions = {}): Promise<App> {
  const { logger = createLogger(config.logLevel), modules = [], beforeInit } = options;
  const lifecycle = new Lifecycle();
  const parts = await createParts(config, logger, options);
  const { adapter, connections, requestMetrics } = parts;
  const nest = await NestFactory.create<NestFastifyApplication>(
    AppModule.of(config, databaseUrl, lifecycle, parts.writer, modules),
    adapter,
    { bodyParser: false, logger: new NestLog(logger), abortOnError: false },
  );
  const metrics = requestMetrics?.registry;
  if (metrics) addAppMetrics(metrics, { connections, database: nest.get(Database, { strict: false }) });
  const prepareDocs = (): Promise<void> => Promise.resolve();
  const app: App = { nest, lifecycle, connections, metrics, prepareDocs };
  try {
    await assemble(app, config, parts, beforeInit);
  } catch (error) {
    // What was opened is closed: the database, Redis.
    await nest.close().catch(() => undefined);
    throw error;
  }
  return app;
}

/** The parts of HTTP that the service needs before there are modules. */
interface Parts {
  readonly writer: ErrorWriter;
  readonly headers: ResponseHeaders;
  readonly overload: Overload;
  readonly connections: Connections;
  /** `undefined` without `METRICS_PORT`. */
  readonly requestMetrics: RequestMetrics | undefined;
  readonly adapter: ApplicationAdapter;
}

async function createParts(
  config: Config,
  logger: Logger,
  { pressure = PRESSURE_LIMITS }: AppOptions,
): Promise<Parts> {
  const requestLog = new RequestLog(logger);
  const requestMetrics = config.metricsPort === undefined ? undefined : new RequestMetrics();
  const writer = new ErrorWriter(TRANSLATORS, requestLog, requestMetrics);
  const headers = await ResponseHeaders.of(config);
  const rawErrors = new RawErrors(headers, requestLog, requestMetrics);
  const overload = new Overload(config.maxInFlight, new Pressure(pressure), logger);
  const connections = new Connections((response) => {
    requestLog.ended(response);
    requestMetrics?.ended(response);
  });
  const adapter = createAdapter(config, writer, {
    connections,
    rawErrors,
  });
  return { writer, headers, overload, connections, requestMetrics, adapter };
}

/** Completes what the modules declare, registers hooks and routes, and starts the modules. */
async function assemble(
  app: App,
  config: Config,
  { writer, headers, overload }: Parts,
  beforeInit: AppOptions['beforeInit'],
): Promise<void> {
  const { nest, connections, lifecycle } = app;
  nest.enableVersioning({ type: VersioningType.URI, prefix: 'api/v' });
  nest.get(OrdinaryRoutes, { strict: false }).complete();
  const controllers = [...nest.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type),
  );
  readThrottles(controllers);
  const authentication = nest.get(Authentication);
  const schemes = nest.get(AuthSchemes, { strict: false });
  schemes.discover();

  const server = nest.getHttpAdapter().getInstance();
  server.decorate('cursors', new CursorCodec(nest.get(SigningKeys, { strict: false }).material));
  registerErrorHandling(server, writer);
  registerStreams(server, connections, overload.outlast);
  await registerPipeline(server, config, {
    headers,
    overload,
    lifecycle,
    schemes,
    authentication,
    grants: nest.get(GrantsRepository, { strict: false }),
    counters: nest.get(CounterStorage, { strict: false }),
    replicas: nest.get(Database, { strict: false }).replicas,
  });
  await nest.get(Gateways, { strict: false }).serve(nest, TRANSLATORS, {
    origins: config.corsOrigins,
    authenticate: (request) => authentication.authenticate(request, false),
  });
  if (config.docs) app.prepareDocs = serveDocs(nest);
  await beforeInit?.(app);
  await nest.init();
  const database = nest.get(Database, { strict: false });
  const tableOf = ({ entity }: ListDefinition): Table => new Table(database.metadataOf(entity));
  checkLists(server.policies.values(), tableOf);
  await server.ready();
}

function createAdapter(config: Config, writer: ErrorWriter, parts: ServerParts): ApplicationAdapter {
  const serve = (listener: RequestListener): Server =>
    createServer(config, parts, (request, response) => {
      beginExchange(response);
      listener(request, response);
    });
  const rewriteUrl = (request: IncomingMessage): string => readableUrl(request, routeByVersion);
  return new ApplicationAdapter({
    ...serverOptions(config, rewriteUrl, serve),
    clientErrorHandler: parts.rawErrors.onClientError,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      writer.write(error, request, reply);
    },
    skipMiddie: true,
  });
}
