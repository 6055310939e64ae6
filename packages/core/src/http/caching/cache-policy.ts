import { IncomingHttpHeaders } from 'node:http';

import { FastifyInstance, FastifyRequest } from 'fastify';

import { routePolicy } from '../../routes/route-policy.js';

/** The `Cache-Control` of a response (RFC 9111 §5.2.2), for requests with and without credentials. */
export interface CachePolicy {
  readonly withCredentials: string;
  readonly anonymous: string;
}

const PRIVATE_NO_CACHE = 'private, no-cache';

/**
 * For data that everybody may read. For anonymous callers, shared caches keep a response for 30 seconds. For callers
 * with credentials, caches revalidate it each time, because these callers may write, and must see their own changes.
 */
export const PUBLIC_CACHE: CachePolicy = {
  withCredentials: PRIVATE_NO_CACHE,
  anonymous: 'public, max-age=30, must-revalidate',
};

/** For personal data. Private caches may keep a response, but revalidate it each time. */
export const PRIVATE_CACHE: CachePolicy = { withCredentials: PRIVATE_NO_CACHE, anonymous: PRIVATE_NO_CACHE };

/** For secrets such as tokens, sessions and keys. No cache may keep a response. */
export const NO_STORE: CachePolicy = { withCredentials: 'no-store', anonymous: 'no-store' };

/**
 * Sets `Cache-Control` for a route, or for all routes of a controller. The default is `PRIVATE_CACHE`.
 * @example @Cached(PUBLIC_CACHE)
 */
export function Cached(cache: CachePolicy): ClassDecorator & MethodDecorator {
  return routePolicy({ cache });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a request has a credential of any authentication scheme. Cookies of no scheme do not count. */
    hasCredentials: (headers: IncomingHttpHeaders) => boolean;
  }
}

/** Returns the `Cache-Control` for the response to a request. */
export function cacheControl({ policy, server, raw: { headers } }: FastifyRequest): string {
  const { withCredentials, anonymous } = policy?.cache ?? PRIVATE_CACHE;
  // Which rows the response shows depends on the caller.
  if (policy?.resource?.rows) return withCredentials;
  // No shared cache may keep a response to a request with credentials (RFC 9111 §3.5).
  return server.hasCredentials(headers) ? withCredentials : anonymous;
}

/** Sets `Cache-Control` on each response that does not have the header yet. */
export function registerCaching(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', cacheControl(request));
    done();
  });
}
