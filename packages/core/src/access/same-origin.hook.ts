import { FastifyInstance, FastifyRequest } from 'fastify';

import { Config } from '../config/config.js';
import { ApiError } from '../http/errors/api-error.js';
import { isSafeMethod } from '../http/methods.js';
import { CROSS_ORIGIN_REJECTED } from './access.errors.js';
import { AuthSchemes } from './schemes/auth-schemes.js';

/**
 * Whether a write with a cookie comes from a trusted page. A page is trusted if it has the origin of the service or an
 * allowed origin. A request without `Origin` is trusted only if `Sec-Fetch-Site` is `same-origin`.
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
  // Compare the origins only if the browser does not send `Sec-Fetch-Site`. Otherwise the browser has compared them
  // itself, and its result is more reliable.
  return allowed.includes(from.origin) || (from.site === undefined && from.origin === own);
}

/**
 * Adds a hook that protects against cross-site request forgery. Browsers add cookies to writes and WebSocket requests
 * from any page. Therefore a write or a WebSocket that authenticates by a cookie must come from a trusted origin.
 *
 * A write to a public route that reads cookies, such as the refresh of a token, must also come from a trusted origin.
 * There is one exception: if such a write has neither `Origin` nor `Sec-Fetch-Site`, it is accepted. Browsers send at
 * least one of these headers, so a write without both does not come from a page.
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
