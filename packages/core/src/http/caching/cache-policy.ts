import { IncomingHttpHeaders } from 'node:http';

import { FastifyInstance, FastifyRequest } from 'fastify';

import { routePolicy } from '../../routes/route-policy.js';

/** Who may keep an answer and for how long (RFC 9111 §5.2.2), by whether the request carried credentials. */
export interface CachePolicy {
  readonly withCredentials: string;
  readonly anonymous: string;
}

const PRIVATE_NO_CACHE = 'private, no-cache';

/**
 * For data that everybody may read. Shared caches may keep it for anonymous callers, and it may then be 30 seconds old.
 * Callers with credentials may write, and must read what they wrote: their own caches revalidate each time.
 */
export const PUBLIC_CACHE: CachePolicy = {
  withCredentials: PRIVATE_NO_CACHE,
  anonymous: 'public, max-age=30, must-revalidate',
};

/** For personal data: private caches keep it, and revalidate it each time. */
export const PRIVATE_CACHE: CachePolicy = { withCredentials: PRIVATE_NO_CACHE, anonymous: PRIVATE_NO_CACHE };

/** For secrets, which no cache may keep: tokens, sessions, keys. */
export const NO_STORE: CachePolicy = { withCredentials: 'no-store', anonymous: 'no-store' };

/**
 * Says how the answers of a route, or of every route of a controller, may be cached. Routes that say nothing are
 * `PRIVATE_CACHE`.
 * @example @Cached(PUBLIC_CACHE)
 */
export function Cached(cache: CachePolicy): ClassDecorator & MethodDecorator {
  return routePolicy({ cache });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a request carries a credential of any authentication scheme. Other cookies are none. */
    hasCredentials: (headers: IncomingHttpHeaders) => boolean;
  }
}

export function cacheControl({ policy, server, raw: { headers } }: FastifyRequest): string {
  const { withCredentials, anonymous } = policy?.cache ?? PRIVATE_CACHE;
  // With credentials of any scheme, no shared cache may keep the answer (RFC 9111 §3.5).
  return server.hasCredentials(headers) ? withCredentials : anonymous;
}

export function registerCaching(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', cacheControl(request));
    done();
  });
}
