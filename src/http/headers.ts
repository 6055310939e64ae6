import cors from '@fastify/cors';
import helmet, { FastifyHelmetOptions } from '@fastify/helmet';
import { fastify, FastifyInstance } from 'fastify';

import { Config } from '../config/config.js';
import { uncountedHeaders } from './rate-limit/rate-limit-headers.js';

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
  // Sent by the HTTPS check, where there is HTTPS.
  strictTransportSecurity: false,
};

/** JSON loads nothing and is framed by nobody (OWASP REST Security Cheat Sheet). */
const OF_DATA: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: [`'none'`], frameAncestors: [`'none'`] },
  },
  strictTransportSecurity: false,
  // For pages only, or for browsers that are gone.
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  xFrameOptions: { action: 'deny' },
};

/** Headers that are the same for every response, made once at start. */
export class ResponseHeaders {
  private constructor(
    readonly ofData: Readonly<Record<string, string>>,
    readonly ofPages: Readonly<Record<string, string>>,
    private readonly ofErrors: Readonly<Record<string, string>>,
    private readonly origins: readonly string[],
  ) {}

  static async of({ corsOrigins, rateLimit }: Config): Promise<ResponseHeaders> {
    const ofData = { ...(await securityHeaders(OF_DATA)), vary: VARY };
    const ofErrors = {
      ...ofData,
      ...uncountedHeaders(rateLimit),
      'content-type': 'application/json',
      'cache-control': 'no-store',
    };
    return new ResponseHeaders(ofData, await securityHeaders(OF_PAGES), ofErrors, corsOrigins);
  }

  /** Of errors that are sent past Fastify, to a page of an origin where one asks. */
  ofRefusals(origin: string | undefined): Readonly<Record<string, string>> {
    if (origin === undefined || !this.origins.includes(origin)) return this.ofErrors;
    return {
      ...this.ofErrors,
      vary: `${VARY}, Origin`,
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': EXPOSED.join(', '),
    };
  }
}

/** Sets the headers of every response: the request's id, what it varies by, security, CORS for the origins allowed. */
export async function registerHeaders(
  server: FastifyInstance,
  { corsOrigins }: Config,
  { ofData, ofPages }: ResponseHeaders,
): Promise<void> {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(request.url.startsWith('/docs') ? ofPages : ofData).header('x-request-id', request.id);
    done();
  });
  if (corsOrigins.length === 0) return;
  await server.register(cors, {
    origin: [...corsOrigins],
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    strictPreflight: false,
  });
}

/**
 * The headers that @fastify/helmet sets. They are the same for every request, and the plugin makes them anew for
 * each: it is asked once, at start.
 */
async function securityHeaders(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const probe = fastify();
  await probe.register(helmet, options);
  probe.get('/', (_request, reply) => reply.code(204).send());
  const { headers } = await probe.inject('/');
  await probe.close();
  const ofNode = new Set(['date', 'connection']);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (ofNode.has(name) ? [] : [[name, String(value)]])),
  );
}
