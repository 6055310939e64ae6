import { FastifyInstance } from 'fastify';

import { Config } from '../config/config.js';
import { DATABASE_UNAVAILABLE } from '../database/database.errors.js';
import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { isHealthCheck } from '../http/health-check.js';

/** The state of the process that health checks report. */
export class Lifecycle {
  isStopping = false;
  /**
   * The migrations that have not run yet. Another program runs them. While a migration is missing, all requests except
   * health checks are rejected.
   */
  missingMigrations: readonly string[] = [];
}

const IN_MAINTENANCE = new ApiError(HttpErrors.MAINTENANCE, undefined, { headers: { 'retry-after': '60' } });
const NOT_MIGRATED = new ApiError(DATABASE_UNAVAILABLE, 'The database is not ready: a migration is missing.');
const WITHOUT_TLS = new ApiError(HttpErrors.HTTPS_REQUIRED);

/**
 * Adds a hook that rejects all requests except health checks in three cases: during maintenance, while migrations are
 * missing, and in production if the request does not use HTTPS.
 */
export function registerAvailability(server: FastifyInstance, config: Config, lifecycle: Lifecycle): void {
  const isProduction = config.environment === 'production';
  server.addHook('onRequest', (request, reply, done) => {
    const isSecure = request.protocol === 'https';
    if (isProduction && isSecure && config.hsts !== undefined)
      void reply.header('strict-transport-security', config.hsts);
    if (isHealthCheck(request.url)) done();
    else if (config.maintenance) done(IN_MAINTENANCE);
    else if (lifecycle.missingMigrations.length > 0) done(NOT_MIGRATED);
    else done(isProduction && !isSecure ? WITHOUT_TLS : undefined);
  });
}
