import { VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Logger } from 'pino';

import { registerAccess } from '#src/access/access.hook.js';
import { AppModule } from '#src/app.module.js';
import { registerAuthentication } from '#src/auth/authentication.hook.js';
import { Authentication } from '#src/auth/authentication.js';
import { translateFrameworkError } from '#src/common/errors/foreign-errors.js';
import { ErrorFilter, ErrorWriter, registerErrorHandling } from '#src/common/http/error-handling.js';
import { registerHeaders } from '#src/common/http/headers.js';
import { checkTarget, readableUrl } from '#src/common/http/host.js';
import { registerUnmatched } from '#src/common/http/methods.js';
import { PlinthAdapter } from '#src/common/http/plinth-adapter.js';
import { answerClientError, answerUnknownExpectations } from '#src/common/http/raw-errors.js';
import { registerPolicies } from '#src/common/http/route-policy.js';
import { serverOptions } from '#src/common/http/server-options.js';
import { CursorCodec } from '#src/common/lists/cursor.js';
import { createLogger, NestLog } from '#src/common/logging/logger.js';
import { RequestLog } from '#src/common/logging/request-log.js';

import { RateLimit } from '#src/common/rate-limit/rate-limit.js';
import { registerJsonBody } from '#src/common/validation/json-body.js';
import { registerNegotiation, registerVersions, routeByVersion } from '#src/common/versioning/versions.js';
import { Config } from '#src/config/config.js';
import { translateDatabaseError } from '#src/database/database-error.js';
import { serveDocs } from '#src/docs/serve-docs.js';
import { Lifecycle, registerAvailability } from '#src/operations/availability.js';

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

  const server: FastifyInstance = adapter.getInstance();
  server.decorate('cursors', new CursorCodec(config.jwt.secrets));
  answerUnknownExpectations(server.server);
  registerErrorHandling(server, writer);
  await registerHooks(server, config, { lifecycle, requestLog, authentication: nest.get(Authentication) });
  serveDocs(nest);
  await nest.init();
  await server.ready();
  return { nest, lifecycle };
}

/**
 * What every request goes through before its body is read, in this order. Each step comes before the next costs
 * anything: see "The order of checks" in `docs/architecture.md`.
 */
async function registerHooks(
  server: FastifyInstance,
  config: Config,
  parts: { lifecycle: Lifecycle; requestLog: RequestLog; authentication: Authentication },
): Promise<void> {
  const rateLimit = new RateLimit(config.rateLimit);
  const refused = (request: FastifyRequest, reply: FastifyReply, error: Error): Error =>
    rateLimit.charge(request, reply) ?? error;
  registerPolicies(server);
  registerJsonBody(server);
  parts.requestLog.register(server);
  await registerHeaders(server, config);
  await registerAvailability(server, config, parts.lifecycle);
  rateLimit.registerAddresses(server);
  server.addHook('onRequest', (request, reply, done) => {
    let fault: Error | undefined;
    try {
      checkTarget(request.raw);
    } catch (error) {
      fault = refused(request, reply, error as Error);
    }
    done(fault);
  });
  registerVersions(server, config, refused);
  registerAuthentication(server, parts.authentication, refused);
  rateLimit.registerCallers(server);
  registerAccess(server);
  registerNegotiation(server);
  registerUnmatched(server);
}
