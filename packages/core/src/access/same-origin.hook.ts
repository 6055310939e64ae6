import { FastifyInstance, FastifyRequest } from 'fastify';

import { Config } from '../config/config.js';
import { ApiError } from '../http/errors/api-error.js';
import { isSafeMethod } from '../http/methods.js';
import { CROSS_ORIGIN_REJECTED } from './access.errors.js';
import { AuthSchemes } from './schemes/auth-schemes.js';

/**
 * Whether a write with a cookie comes from a trusted page: one of the service's own origin, or of an allowed origin. A
 * request without `Origin` is trusted only if `Sec-Fetch-Site` is `same-origin`.
 * @param from the headers `Sec-Fetch-Site` and `Origin`
 * @param own the origin of the service
 */
export function isTrustedOrigin(
  from: { site: string | undefined; origin: string | undefined },
  own: string,
  allowed: readonly string[],
): boolean {
  if (from.site === 'same-origin') return true;
  if (from.origin === undefined) return false;
  // If the browser sends `Sec-Fetch-Site`, it knows better than this comparison whether the origins are the same.
  return allowed.includes(from.origin) || (from.site === undefined && from.origin === own);
}

/**
 * Protects against cross-site request forgery. Browsers send cookies with the writes and WebSockets of any page.
 * Therefore a write or a WebSocket that authenticates by a cookie must come from a trusted origin. The same holds for
 * writes to public routes that read cookies, such as the refresh of a token. Such a write passes without `Origin` and
 * `Sec-Fetch-Site`, because it does not come from a page: browsers send at least one of them.
 */
export function registerSameOrigin(
  server: FastifyInstance,
  { corsOrigins }: Pick<Config, 'corsOrigins'>,
  schemes: AuthSchemes,
): void {
  server.addHook('onRequest', (request: FastifyRequest, _reply, done) => {
    const isRead = isSafeMethod(request.method) && request.headers.upgrade?.toLowerCase() !== 'websocket';
    const { principal } = request.context;
    const isAmbient = principal && schemes.isAmbient(principal.scheme);
    const { origin, 'sec-fetch-site': site } = request.headers;
    const own = `${request.protocol}://${request.host}`;
    const from = { origin, site: typeof site === 'string' ? site : undefined };
    const readsCookies = request.policy?.readsCookies !== undefined && (origin ?? site) !== undefined;
    const isForged = !isRead && (isAmbient || readsCookies) && !isTrustedOrigin(from, own, corsOrigins);
    done(isForged ? new ApiError(CROSS_ORIGIN_REJECTED) : undefined);
  });
}
