import { FastifyInstance, FastifyRequest } from 'fastify';

import { Config } from '../../config/config.js';
import { ApiError } from '../../http/errors/api-error.js';
import { isSafeMethod } from '../../http/methods.js';
import { CROSS_ORIGIN_REJECTED } from '../access.errors.js';
import { AuthSchemes } from './auth-schemes.js';

/** Whether a cookie is accepted for a write: from the own origin and allowed ones, which the request must name. */
export function mayWriteWithCookie(
  from: { site: string | undefined; origin: string | undefined },
  own: string,
  allowed: readonly string[],
): boolean {
  if (from.site === 'same-origin') return true;
  if (from.origin === undefined) return false;
  // `Sec-Fetch-Site` outweighs an origin that looks like the service's own.
  return allowed.includes(from.origin) || (from.site === undefined && from.origin === own);
}

/** Refuses writes and WebSockets by cookies from other origins: browsers send cookies with both. */
export function registerSameOrigin(
  server: FastifyInstance,
  { corsOrigins }: Pick<Config, 'corsOrigins'>,
  schemes: AuthSchemes,
): void {
  server.addHook('onRequest', (request: FastifyRequest, _reply, done) => {
    const isRead = isSafeMethod(request.method) && request.headers.upgrade?.toLowerCase() !== 'websocket';
    const isAmbient = request.principal && !isRead && schemes.isAmbient(request.principal.scheme);
    const { origin, 'sec-fetch-site': site } = request.headers;
    const own = `${request.protocol}://${request.host}`;
    const from = { origin, site: typeof site === 'string' ? site : undefined };
    const isRefused = isAmbient && !mayWriteWithCookie(from, own, corsOrigins);
    done(isRefused ? new ApiError(CROSS_ORIGIN_REJECTED) : undefined);
  });
}
