import cors from '@fastify/cors';
import helmet, { FastifyHelmetOptions } from '@fastify/helmet';
import { fastify, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Config } from '../config/config.js';
import { policyHeaders, uncountedHeaders } from './rate-limit/limit.js';

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

type Values = Readonly<Record<string, string>>;

/** Headers that are the same for every response, made once at start. */
export class ResponseHeaders {
  private constructor(
    private data: Values & { readonly vary: string },
    readonly ofPages: Values,
    private errors: Values,
  ) {}

  static async of({ rateLimit }: Pick<Config, 'rateLimit'>): Promise<ResponseHeaders> {
    const policy = policyHeaders(rateLimit);
    const data = { ...(await securityHeaders(OF_DATA)), ...policy, vary: 'Accept' };
    const errors = {
      ...data,
      ...uncountedHeaders(rateLimit),
      'content-type': 'application/json',
      'cache-control': 'no-store',
    };
    const pages = { ...(await securityHeaders(OF_PAGES)), ...policy };
    return new ResponseHeaders(data, pages, errors);
  }

  /**
   * Adds the headers that carry credentials to `Vary` (RFC 9110 §12.5.5). To be called once, before the first request.
   */
  varyBy(credentialHeaders: readonly string[]): void {
    const vary = ['Accept', ...credentialHeaders].join(', ');
    this.data = { ...this.data, vary };
    this.errors = { ...this.errors, vary };
  }

  get ofData(): Values {
    return this.data;
  }

  /** Of errors that are sent past Fastify. */
  get ofErrors(): Values {
    return this.errors;
  }
}

/** Sets the headers of every response: the request's id, what it varies by, security, CORS for the origins allowed. */
export async function registerHeaders(
  server: FastifyInstance,
  { corsOrigins, rateLimit }: Config,
  headers: ResponseHeaders,
): Promise<void> {
  const { ofData, ofPages } = headers;
  server.addHook('onRequest', (request, reply, done) => {
    const isPage = /^\/(docs|reference)\b/.test(request.url);
    void reply.headers(isPage ? ofPages : ofData).header('x-request-id', request.id);
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
    preflightContinue: true,
  });
  const uncounted = uncountedHeaders(rateLimit);
  server.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS') {
      done();
      return;
    }
    void reply.headers(uncounted);
    answerOptions(request, reply);
  });
}

/**
 * Answers in place of the CORS plugin: its own answer has `Content-Length: 0`, which no 204 may have (RFC 9110 §8.6),
 * and is the same for paths that are not there.
 */
function answerOptions({ headers }: FastifyRequest, reply: FastifyReply): void {
  const isPreflight = headers.origin !== undefined && 'access-control-request-method' in headers;
  if (isPreflight) void reply.code(204).send();
  else reply.callNotFound();
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
