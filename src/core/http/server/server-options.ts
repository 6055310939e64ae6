import { IncomingMessage, RequestListener, Server } from 'node:http';

import { FastifyServerOptions } from 'fastify';

import { Config } from '../../config/config.js';
import { requestId } from '../exchange.js';

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
  /** A client that reads nothing of its answer for so long is cut. Longer than a request may take to arrive. */
  unreadTimeoutMs: 10_000,
} as const;

/** Fastify takes a count of hops and trusts nobody for it: as a function it counts. */
function trusted(proxies: Config['trustProxy']): FastifyServerOptions['trustProxy'] {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxies && [...proxies];
}

/**
 * How Fastify is set up: bounds, and what the router is fed.
 *
 * @param createServer makes the server that hands its requests to a listener
 */
export function serverOptions(
  config: Config,
  rewriteUrl: (request: IncomingMessage) => string,
  createServer: (listener: RequestListener) => Server,
): FastifyServerOptions {
  return {
    serverFactory: createServer,
    logger: false,
    bodyLimit: LIMITS.bodyBytes,
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
