import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';

import { FastifyServerOptions } from 'fastify';

import { Config } from '../config/config.js';

/** Bounds on what a client may send, and on how long it may take. */
export const LIMITS = {
  bodyBytes: 1024 * 1024,
  /** Where no credentials are needed: a login, a registration. */
  publicBodyBytes: 16 * 1024,
  urlBytes: 8 * 1024,
  headerBytes: 16 * 1024,
  /** Whole request, headers and body; seen within a second of passing, so a slow one gets its 408 within 10 s. */
  requestTimeoutMs: 8_500,
  headersTimeoutMs: 8_000,
  keepAliveTimeoutMs: 72_000,
} as const;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that the client gave the request, where it is a sound one, or a new one. */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Fastify takes a count of hops and trusts nobody for it: as a function it counts. */
function trusted(proxies: Config['trustProxy']): FastifyServerOptions['trustProxy'] {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxies && [...proxies];
}

/** How Fastify and `node:http` are set up: bounds, timeouts, TLS, and what the router is fed. */
export function serverOptions(
  config: Config,
  rewriteUrl: (request: IncomingMessage) => string,
): FastifyServerOptions {
  const nodeOptions = {
    maxHeaderSize: LIMITS.headerBytes,
    // A missing Host is answered by a hook, in our envelope.
    requireHostHeader: false,
    headersTimeout: LIMITS.headersTimeoutMs,
    requestTimeout: LIMITS.requestTimeoutMs,
    // How often timeouts are looked for.
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: LIMITS.keepAliveTimeoutMs,
  };
  const { tls } = config;
  const transport = tls
    ? {
        http2: true as const,
        https: {
          allowHTTP1: true,
          cert: readFileSync(tls.certFile),
          key: readFileSync(tls.keyFile),
          ...nodeOptions,
        },
      }
    : { http: nodeOptions };
  return {
    ...transport,
    logger: false,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: LIMITS.requestTimeoutMs,
    keepAliveTimeout: LIMITS.keepAliveTimeoutMs,
    // An id of any length is looked up, and not found: the URL's own bound is the one that counts.
    routerOptions: { maxParamLength: LIMITS.urlBytes, ignoreTrailingSlash: false, caseSensitive: true },
    trustProxy: trusted(config.trustProxy),
    genReqId: requestId,
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: false,
    rewriteUrl,
  };
}
