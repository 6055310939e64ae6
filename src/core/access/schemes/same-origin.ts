import { FastifyInstance, FastifyRequest } from 'fastify';

import { Config } from '../../config/config.js';
import { ApiError } from '../../http/errors/api-error.js';
import { isSafeMethod } from '../../http/methods.js';
import { CROSS_ORIGIN_REJECTED } from '../access.errors.js';
import { AuthSchemes } from './auth-schemes.js';

/** The headers by which browsers name the origin of a request; scripts cannot forge them. */
export interface Provenance {
  /** `Sec-Fetch-Site` (W3C Fetch Metadata §2.4). */
  readonly site: string | undefined;
  /** `Origin` (RFC 6454 §7). */
  readonly origin: string | undefined;
}

/**
 * Whether a cookie is accepted for a write: from the service's own and allowed origins, which the request must name.
 */
export function mayWriteWithCookie(from: Provenance, own: string, allowed: readonly string[]): boolean {
  if (from.site === 'same-origin') return true;
  if (from.origin === undefined) return false;
  // `Sec-Fetch-Site` outweighs an origin that looks like the service's own.
  return allowed.includes(from.origin) || (from.site === undefined && from.origin === own);
}

/** Refuses writes whose credential is a cookie from other origins. To be registered after authentication. */
export function registerSameOrigin(
  server: FastifyInstance,
  { corsOrigins }: Pick<Config, 'corsOrigins'>,
  schemes: AuthSchemes,
): void {
  server.addHook('onRequest', (request: FastifyRequest, _reply, done) => {
    if (!request.principal || isSafeMethod(request.method) || !schemes.isAmbient(request.principal.scheme)) {
      done();
      return;
    }
    const { origin, 'sec-fetch-site': site } = request.headers;
    const own = `${request.protocol}://${request.host}`;
    const from = { origin, site: typeof site === 'string' ? site : undefined };
    done(mayWriteWithCookie(from, own, corsOrigins) ? undefined : new ApiError(CROSS_ORIGIN_REJECTED));
  });
}
