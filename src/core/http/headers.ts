import cors from '@fastify/cors';
import helmet, { FastifyHelmetOptions } from '@fastify/helmet';
import { FastifyInstance } from 'fastify';

import { Config } from '../config/config.js';
import { uncountedHeaders } from './rate-limit/rate-limit.js';

/** Headers that scripts of other origins may read. */
const EXPOSED = [
  'ETag',
  'Last-Modified',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
  'Idempotency-Replayed',
];

const PAGES = /^\/(docs|reference)\b/;

/** JSON loads nothing and is framed by nobody (OWASP REST Security Cheat Sheet). */
const OF_DATA: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: [`'none'`], frameAncestors: [`'none'`] },
  },
  // Sent by the HTTPS check, where there is HTTPS.
  strictTransportSecurity: false,
};

/** Sources that the pages of `/docs` and `/reference` load: their own scripts and styles, inline images and styles. */
const OF_PAGES: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    directives: {
      defaultSrc: [`'self'`],
      styleSrc: [`'self'`, `'unsafe-inline'`],
      imgSrc: [`'self'`, 'data:'],
      // They are served over plain HTTP in development.
      upgradeInsecureRequests: null,
    },
  },
};

/**
 * Sets the headers of every response: the request's id, what it varies by, security, CORS for the origins allowed, and
 * the rate limit of a request that nothing has counted yet.
 *
 * @param credentialHeaders the headers that carry credentials (RFC 9110 §12.5.5)
 */
export async function registerHeaders(
  server: FastifyInstance,
  { corsOrigins, rateLimit }: Config,
  credentialHeaders: readonly string[],
): Promise<void> {
  const uncounted = uncountedHeaders(rateLimit);
  const vary = ['Accept', ...credentialHeaders].join(', ');
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(uncounted).header('x-request-id', request.id);
    if (!PAGES.test(request.url)) void reply.header('vary', vary);
    done();
  });
  server.addHook('onRoute', (route) => {
    if (PAGES.test(route.url)) route.helmet = OF_PAGES;
  });
  await server.register(helmet, OF_DATA);
  if (corsOrigins.length === 0) return;
  await server.register(cors, {
    origin: [...corsOrigins],
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    strictPreflight: false,
    preflightContinue: true,
  });
  // The plugin's own answer has `Content-Length: 0`, which no 204 may have (RFC 9110 §8.6).
  server.addHook('onRequest', ({ method, headers: { origin, ...others } }, reply, done) => {
    if (method !== 'OPTIONS') done();
    else if (origin !== undefined && 'access-control-request-method' in others) void reply.code(204).send();
    else reply.callNotFound();
  });
}
