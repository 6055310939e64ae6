import { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

import { FastifyInstance } from 'fastify';

import { ApiError } from './errors/api-error.js';
import { HttpErrors } from './errors/http.errors.js';
import { RejectCounted } from './rate-limit/rate-limit.js';
import { LIMITS } from './server/connections.js';

const HOST = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~%!$&'()*+,;=-]+)(?::\d{0,5})?$/;

/** Replaces a path that cannot be read. `findTargetError()` recognizes it. */
const UNREADABLE_PATH = '/%25';

/** The URL for the router. A malformed path is replaced, because the router would reject it before any hook runs. */
export function routableUrl(request: IncomingMessage, route: (request: IncomingMessage) => string): string {
  const sent = request.url ?? '';
  const url = sent.startsWith('/') ? sent : toOriginForm(sent);
  // A request has no fragment (RFC 9112 §3.2.1).
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

/** The path and query of a target in absolute form (RFC 9112 §3.2.2). `undefined` if it has another form. */
export function toOriginForm(target: string): string | undefined {
  const [, authority = '', rest = ''] = ABSOLUTE_FORM.exec(target) ?? [];
  if (!HOST.test(authority)) return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * The error for a URL that is too long or cannot be read, for an unknown `Expect`, for more than one `Authorization`
 * (RFC 9110 §11.6.2), and for a `Host` that is missing, repeated or malformed (RFC 9112 §3.2).
 */
function findTargetError(request: IncomingMessage & { readonly originalUrl?: string }): ApiError | undefined {
  const { url, originalUrl = url } = request;
  if ((originalUrl?.length ?? 0) > LIMITS.urlBytes) return new ApiError(HttpErrors.URI_TOO_LONG);
  if (url === UNREADABLE_PATH && originalUrl !== UNREADABLE_PATH) return new ApiError(HttpErrors.INVALID_URL);
  const { host, authorization, expect } = request.headers;
  // RFC 9110 §10.1.1. `node:http` leaves this check to the server.
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

/** Rejects requests whose target or `Host` is malformed. */
export function registerTargetChecks(server: FastifyInstance, refuse: RejectCounted): void {
  server.addHook('onRequest', (request, reply, done) => {
    const error = findTargetError(request.raw);
    if (error) refuse(request, reply, error).catch(done);
    else done();
  });
}

/** Whether a header was sent more than once. Of some headers, `node:http` only keeps the first. */
const isRepeated = (name: string, rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === name).length > 1;

/** Makes sure that `request.ip` is an address: removes an `X-Forwarded-For` that contains anything else. */
export function registerForwardedFor(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const sent = headers['x-forwarded-for'];
    const entries = sent === undefined ? [] : String(sent).split(',');
    // The longest address, an IPv4-mapped one, has 45 characters. The limit excludes long zones.
    const areAddresses = entries.every((entry) => isIP(entry.trim()) !== 0 && entry.trim().length <= 45);
    if (!areAddresses) delete headers['x-forwarded-for'];
    done();
  });
}
