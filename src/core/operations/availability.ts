import { FastifyInstance, onRequestHookHandler } from 'fastify';

import { Config } from '../config/config.js';
import { DATABASE_UNAVAILABLE } from '../database/database.errors.js';
import { ApiError } from '../http/errors/api-error.js';
import { HTTPS_REQUIRED, MAINTENANCE } from '../http/errors/http.errors.js';
import { uncountedHeaders } from '../http/rate-limit/limit.js';

/** Whether the process is to receive requests: false from the signal that stops it. */
export class Lifecycle {
  isStopping = false;
  /** Migrations that another program has still to run; until then nothing but health is answered. */
  missingMigrations: readonly string[] = [];
}

/**
 * Turns away what must not be answered now: in maintenance, while migrations are missing that somebody else runs, and
 * without TLS in production. Health always answers.
 */
export function registerAvailability(server: FastifyInstance, config: Config, lifecycle: Lifecycle): void {
  const uncounted = uncountedHeaders(config.rateLimit);
  const refusing =
    (error: ApiError): onRequestHookHandler =>
    (request, reply, done) => {
      const isExempt = isHealth(request.url);
      if (!isExempt) void reply.headers(uncounted);
      done(isExempt ? undefined : error);
    };
  if (config.maintenance) {
    const options = { headers: { 'retry-after': '60' } };
    server.addHook('onRequest', refusing(new ApiError(MAINTENANCE, MAINTENANCE.summary, options)));
  }
  if (!config.database.migrate) registerMigratedOnly(server, lifecycle, refusing);
  if (config.environment === 'production') registerHttpsOnly(server, config.hsts, refusing);
}

function registerMigratedOnly(
  server: FastifyInstance,
  lifecycle: Lifecycle,
  refusing: (error: ApiError) => onRequestHookHandler,
): void {
  const message = 'The database is not ready: a migration is missing.';
  const refuse = refusing(new ApiError(DATABASE_UNAVAILABLE, message, { headers: { 'retry-after': '1' } }));
  server.addHook('onRequest', function (request, reply, done) {
    if (lifecycle.missingMigrations.length > 0) refuse.call(this, request, reply, done);
    else done();
  });
}

function registerHttpsOnly(
  server: FastifyInstance,
  hsts: string | undefined,
  refusing: (error: ApiError) => onRequestHookHandler,
): void {
  // Probes reach the process itself, not the proxy in front of it.
  const refuse = refusing(new ApiError(HTTPS_REQUIRED));
  server.addHook('onRequest', function (request, reply, done) {
    if (request.protocol !== 'https') {
      refuse.call(this, request, reply, done);
      return;
    }
    if (hsts !== undefined) void reply.header('strict-transport-security', hsts);
    done();
  });
}

/** Whether a URL is a health check, which responds whatever else does not. */
export const isHealth = (url: string): boolean => url.startsWith('/health/');
