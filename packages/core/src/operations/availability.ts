import { FastifyInstance } from 'fastify';

import { Config } from '../config/config.js';
import { DATABASE_UNAVAILABLE } from '../database/database.errors.js';
import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';

export class Lifecycle {
  isStopping = false;
  /** Migrations that another program has still to run; until then nothing but health is answered. */
  missingMigrations: readonly string[] = [];
}

const IN_MAINTENANCE = new ApiError(HttpErrors.MAINTENANCE, undefined, { headers: { 'retry-after': '60' } });
const NOT_MIGRATED = new ApiError(DATABASE_UNAVAILABLE, 'The database is not ready: a migration is missing.');
const WITHOUT_TLS = new ApiError(HttpErrors.HTTPS_REQUIRED);

/** Answers health alone in maintenance, while migrations of others are missing, and in production without TLS. */
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

/** Whether a URL is a health check, which responds whatever else does not. */
export const isHealthCheck = (url: string): boolean => url.startsWith('/health/');
