import cors from '@fastify/cors';
import helmet, { FastifyHelmetOptions } from '@fastify/helmet';
import { fastify, FastifyInstance, FastifyReply } from 'fastify';

import { Config } from '../config/config.js';
import { fullLimitHeaders } from './rate-limit/limit-headers.js';

const EXPOSED_HEADERS =
  'ETag, Last-Modified, Link, Location, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, ' +
  'X-RateLimit-Reset, Retry-After, X-Request-Id, Idempotency-Replayed, Deprecation, Sunset, WWW-Authenticate, ' +
  'Content-Disposition';

const DOCS_PATHS = /^\/(docs|reference)\b/;

type ContentSecurityPolicy = FastifyHelmetOptions['contentSecurityPolicy'];

/** For JSON. It loads nothing, and no page may show it in a frame (OWASP REST Security Cheat Sheet). */
const API_CSP: ContentSecurityPolicy = {
  useDefaults: false,
  directives: { defaultSrc: [`'none'`], frameAncestors: [`'none'`] },
};

/** For `/docs` and `/reference`. They load scripts and styles from the service, inline images and inline styles. */
const DOCS_CSP: ContentSecurityPolicy = {
  directives: {
    defaultSrc: [`'self'`],
    styleSrc: [`'self'`, `'unsafe-inline'`],
    imgSrc: [`'self'`, 'data:'],
    // In development the pages are served over plain HTTP.
    upgradeInsecureRequests: null,
  },
};

/**
 * Returns the headers that Helmet sets. Helmet runs only once, at start, because it would take longer on each request
 * than the rest of a GET takes.
 */
async function helmetHeaders(contentSecurityPolicy: ContentSecurityPolicy): Promise<Record<string, string>> {
  const server = fastify();
  // `registerAvailability()` sends `Strict-Transport-Security`.
  await server.register(helmet, { contentSecurityPolicy, strictTransportSecurity: false });
  server.get('/', (_request, reply) => reply.send(reply.raw.getHeaders()));
  return (await server.inject('/')).json();
}

/** Sets the headers of every response: request id, `Vary` (RFC 9110 §12.5.5), security, CORS, rate limit. */
export async function registerHeaders(
  server: FastifyInstance,
  { corsOrigins, rateLimit }: Config,
  credentialHeaders: readonly string[],
): Promise<void> {
  const uncounted = fullLimitHeaders(rateLimit);
  const vary = ['Accept', ...credentialHeaders].join(', ');
  const ofPages = { ...uncounted, ...(await helmetHeaders(DOCS_CSP)) };
  const ofData = { ...uncounted, ...(await helmetHeaders(API_CSP)), vary };
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(DOCS_PATHS.test(request.url) ? ofPages : ofData).header('x-request-id', request.id);
    done();
  });
  if (corsOrigins.length === 0) return;
  await server.register(cors, {
    origin: [...corsOrigins],
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
    strictPreflight: false,
    preflightContinue: true,
  });
  // Respond to preflight requests here: the response of @fastify/cors would have `Content-Length: 0`, which a 204 must
  // not have (RFC 9110 §8.6).
  server.addHook('onRequest', ({ method, headers: { origin, ...others } }, reply, done) => {
    const isPreflight = origin !== undefined && 'access-control-request-method' in others;
    if (method === 'OPTIONS' && isPreflight) void reply.code(204).send();
    else done();
  });
}

/**
 * The maximum size of the headers, including `Link`. By default nginx reads 4 KiB (`proxy_buffer_size`). 512 bytes
 * remain for headers that are set later.
 */
const MAX_HEADER_BYTES = 4096 - 512;

/**
 * Sets `Link` to the first value that fits, together with the other headers, into the default buffer of a proxy.
 * Removes `Link` if no value fits.
 * @param values the preferred value first, then shorter ones
 */
export function setLink(reply: FastifyReply, ...values: readonly string[]): void {
  void reply.removeHeader('link');
  const sizes = Object.entries(reply.getHeaders()).map(
    ([name, value]) => `${name}: ${String(value)}\r\n`.length,
  );
  const left = MAX_HEADER_BYTES - sizes.reduce((sum, size) => sum + size, 'link: \r\n'.length);
  const value = values.find(({ length }) => length > 0 && length <= left);
  if (value !== undefined) void reply.header('link', value);
}
