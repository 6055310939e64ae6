import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import { FastifyInstance } from 'fastify';

import { Config } from '#src/config/config.js';

/** What the answer to a request may depend on besides its path: for caches that are shared. */
const VARY = 'Accept, Authorization, Cookie, X-API-Key';

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

/** What the pages of `/docs` load: their own scripts and styles, and Swagger UI's inline images and styles. */
const CONTENT_SECURITY_POLICY = {
  defaultSrc: [`'self'`],
  styleSrc: [`'self'`, `'unsafe-inline'`],
  imgSrc: [`'self'`, 'data:'],
  // Swagger UI's pages are served over plain HTTP in development.
  upgradeInsecureRequests: null,
};

/** Headers of every response: the request's id, what it varies by, security, and CORS for the origins allowed. */
export async function registerHeaders(server: FastifyInstance, config: Config): Promise<void> {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) void reply.header('vary', VARY);
    done();
  });
  await server.register(helmet, {
    contentSecurityPolicy: { directives: CONTENT_SECURITY_POLICY },
    // Sent by the HTTPS check, where there is HTTPS.
    strictTransportSecurity: false,
  });
  if (config.corsOrigins.length === 0) return;
  await server.register(cors, {
    origin: [...config.corsOrigins],
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    strictPreflight: false,
  });
}
