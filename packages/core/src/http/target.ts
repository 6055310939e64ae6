import { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

import { FastifyInstance } from 'fastify';

import { ApiError } from './errors/api-error.js';
import { HttpErrors } from './errors/http.errors.js';
import { RejectCounted } from './rate-limit/rate-limit.js';
import { LIMITS } from './server/connections.js';

const HOST = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~%!$&'()*+,;=-]+)(?::\d{0,5})?$/;

/** Replaces a malformed path before the router gets it. `findTargetError()` recognizes this value. */
const UNREADABLE_PATH = '/%25';

/**
 * Returns the URL for the router, and sets `request.url` to its origin form. Replaces a malformed path, because the
 * router would reject the path before any hook runs.
 * @param route returns the URL by which to route a request whose path is well-formed
 */
export function routableUrl(request: IncomingMessage, route: (request: IncomingMessage) => string): string {
  const sent = request.url ?? '';
  const url = sent.startsWith('/') ? sent : toOriginForm(sent);
  // A request target must not have a fragment (RFC 9112 §3.2.1).
  if (url === undefined || url.includes('#')) return UNREADABLE_PATH;
  request.url = url;
  if (!url.includes('%')) return route(request);
  try {
    decodeURIComponent(url.split('?', 1)[0] as string);
    return route(request);
  } catch {
    return UNREADABLE_PATH;
  }
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)([^#]*)$/i;

/**
 * Returns the path and query of a request target in absolute form (RFC 9112 §3.2.2), or `undefined` for a target in
 * another form.
 * @example toOriginForm('https://example.com/products?page=2') // '/products?page=2'
 */
export function toOriginForm(target: string): string | undefined {
  const [, authority = '', rest = ''] = ABSOLUTE_FORM.exec(target) ?? [];
  if (!HOST.test(authority)) return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Returns the error for a URL that is too long or malformed, for an unknown `Expect`, for more than one `Authorization`
 * (RFC 9110 §11.6.2), and for a `Host` that is missing, repeated or malformed (RFC 9112 §3.2).
 */
function findTargetError(request: IncomingMessage & { readonly originalUrl?: string }): ApiError | undefined {
  const { url, originalUrl = url } = request;
  if ((originalUrl?.length ?? 0) > LIMITS.urlBytes) return new ApiError(HttpErrors.URI_TOO_LONG);
  if (url === UNREADABLE_PATH && originalUrl !== UNREADABLE_PATH) return new ApiError(HttpErrors.INVALID_URL);
  const { host, authorization, expect } = request.headers;
  // RFC 9110 §10.1.1. `createServer()` turns off the check of `node:http`.
  if (expect !== undefined && !/\b100-continue\b/i.test(expect))
    return new ApiError(HttpErrors.EXPECTATION_FAILED);
  if (authorization !== undefined && isRepeated('authorization', request.rawHeaders))
    return new ApiError(HttpErrors.BAD_REQUEST, 'The Authorization header must not be repeated.');
  if (host === undefined && request.httpVersion !== '1.0')
    return new ApiError(HttpErrors.INVALID_HOST, 'The Host header is missing.');
  if (isRepeated('host', request.rawHeaders))
    return new ApiError(HttpErrors.INVALID_HOST, 'The Host header must not be repeated.');
  if (host && !HOST.test(host))
    return new ApiError(HttpErrors.INVALID_HOST, 'The Host header must be host[:port].');
  return undefined;
}

/** Rejects requests for which `findTargetError()` finds an error. Counts them under the rate limits first. */
export function registerTargetChecks(server: FastifyInstance, refuse: RejectCounted): void {
  server.addHook('onRequest', (request, reply, done) => {
    const error = findTargetError(request.raw);
    if (error) refuse(request, reply, error).catch(done);
    else done();
  });
}

/**
 * Whether a header was sent more than once. `request.headers` does not show this, because `node:http` keeps only the
 * first of some headers.
 */
const isRepeated = (name: string, rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === name).length > 1;

/** Removes `X-Forwarded-For` if it contains anything but addresses, so that `request.ip` is always an address. */
export function registerForwardedFor(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const sent = headers['x-forwarded-for'];
    const entries = sent === undefined ? [] : String(sent).split(',');
    // The longest address, an IPv4-mapped IPv6 address, has 45 characters. The limit excludes addresses with long
    // zones.
    const areAddresses = entries.every((entry) => isIP(entry.trim()) !== 0 && entry.trim().length <= 45);
    if (!areAddresses) delete headers['x-forwarded-for'];
    done();
  });
}
