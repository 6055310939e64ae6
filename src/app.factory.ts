import { Type, VersioningType } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Logger } from 'pino';

import { AppModule } from './app.module.js';
import { Authentication } from './auth/authentication.js';
import { SigningKeys } from './auth/tokens/signing-keys.js';
import { Config } from './config/config.js';
import { translateDatabaseError } from './database/database-error.js';
import { Database } from './database/database.js';
import { Table } from './database/table.js';
import { serveDocs } from './docs/serve-docs.js';
import { CachedGrants } from './grants/cached-grants.js';
import { ErrorFilter, ErrorWriter, registerErrorHandling } from './http/error-handling.js';
import { translateFrameworkError } from './http/errors/foreign-errors.js';
import { readableUrl } from './http/target.js';
import { createLogger, NestLog } from './http/logging/logger.js';
import { RequestLog } from './http/logging/request-log.js';
import { routeByVersion } from './http/negotiation/versions.js';
import { PlinthAdapter } from './http/plinth-adapter.js';
import { answerClientError, answerUnknownExpectations } from './http/raw-errors.js';
import { serverOptions } from './http/server-options.js';
import { checkLists } from './lists/check-lists.js';
import { CursorCodec } from './lists/cursor.js';
import { markQueryRoutes } from './lists/unknown-query.js';
import { Lifecycle } from './operations/availability.js';
import { registerPipeline } from './pipeline.js';
import { RedisConnection } from './redis/redis-connection.js';

/** A service that is ready to listen, and what stops it. */
export interface App {
  readonly nest: NestFastifyApplication;
  readonly lifecycle: Lifecycle;
}

/**
 * Makes the service: the one way it is made, for the program, tests, benchmarks and the OpenAPI document.
 *
 * @param databaseUrl of a server whose migrations are in
 */
export async function createApp(
  config: Config,
  databaseUrl: string,
  logger: Logger = createLogger(config.logLevel),
): Promise<App> {
  const lifecycle = new Lifecycle();
  const requestLog = new RequestLog(logger);
  const writer = new ErrorWriter([translateDatabaseError, translateFrameworkError], requestLog);
  const adapter = new PlinthAdapter({
    ...serverOptions(config, (request) => readableUrl(request, routeByVersion)),
    clientErrorHandler: answerClientError,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      writer.write(error, request, reply);
    },
    skipMiddie: true,
  });
  const nest = await NestFactory.create<NestFastifyApplication>(
    AppModule.of(config, databaseUrl, lifecycle),
    adapter,
    {
      bodyParser: false,
      logger: new NestLog(logger),
      abortOnError: false,
    },
  );
  nest.enableVersioning({ type: VersioningType.URI, prefix: 'api/v' });
  nest.useGlobalFilters(new ErrorFilter(writer));

  const modules = [...nest.get(ModulesContainer).values()];
  markQueryRoutes(
    modules.flatMap(({ controllers }) => [...controllers.values()].map(({ metatype }) => metatype as Type)),
  );

  const server: FastifyInstance = adapter.getInstance();
  server.decorate('cursors', new CursorCodec(nest.get(SigningKeys, { strict: false }).material));
  answerUnknownExpectations(server.server);
  registerErrorHandling(server, writer);
  await registerPipeline(server, config, {
    lifecycle,
    requestLog,
    authentication: nest.get(Authentication),
    grants: nest.get(CachedGrants, { strict: false }),
    redis: config.redisUrl === undefined ? undefined : nest.get(RedisConnection, { strict: false }),
  });
  if (config.docs) serveDocs(nest);
  await nest.init();
  checkLists(
    server.policies.values(),
    ({ entity }) => new Table(nest.get(Database, { strict: false }).metadataOf(entity)),
  );
  await server.ready();
  return { nest, lifecycle };
}
