import { FastifyInstance, FastifyRequest } from 'fastify';

import { Config } from '../config/config.js';
import { ApiError } from '../http/errors/api-error.js';
import { CROSS_ORIGIN_REJECTED } from './auth.errors.js';

/** Methods that change nothing (RFC 9110 §9.2.1). */
const SAFE = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/** What a browser says of the page that a request comes from; scripts can forge neither. */
export interface Provenance {
  /** `Sec-Fetch-Site` (W3C Fetch Metadata §2.4). */
  readonly site: string | undefined;
  /** `Origin` (RFC 6454 §7). */
  readonly origin: string | undefined;
}

/**
 * Whether a page may write with the cookie of a session: one of the service's own origin, or of those allowed. What
 * says nothing of itself may not: browsers send the cookie by themselves, so there must be a sign that it was meant.
 */
export function mayWriteWithCookie(from: Provenance, own: string, allowed: readonly string[]): boolean {
  if (from.site === 'same-origin') return true;
  if (from.origin === undefined) return false;
  // Where the browser says cross-site, an origin that looks like ours does not outweigh it.
  return allowed.includes(from.origin) || (from.site === undefined && from.origin === own);
}

/** Refuses writes with a session's cookie that may come from a page of somebody else. After authentication. */
export function registerSameOrigin(
  server: FastifyInstance,
  { corsOrigins }: Pick<Config, 'corsOrigins'>,
): void {
  server.addHook('onRequest', (request: FastifyRequest, _reply, done) => {
    if (request.principal?.scheme !== 'session' || SAFE.includes(request.method)) {
      done();
      return;
    }
    const { origin, 'sec-fetch-site': site } = request.headers;
    const own = `${request.protocol}://${request.host}`;
    const from = { origin, site: typeof site === 'string' ? site : undefined };
    done(mayWriteWithCookie(from, own, corsOrigins) ? undefined : new ApiError(CROSS_ORIGIN_REJECTED));
  });
}
