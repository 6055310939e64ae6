import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { FastifyInstance } from 'fastify';

import { CachePolicy } from '../http/caching/cache-policy.js';
import { isNotModified } from '../http/caching/validated.js';

const compress = promisify(gzip);

/** Revalidated each time; shared caches may keep it, since it is the same for everybody. */
const REVALIDATED: CachePolicy = { withCredentials: 'public, no-cache', anonymous: 'public, no-cache' };

/** Makes what is served ahead of its first request. */
export type Prepare = () => Promise<unknown>;

/** A client takes gzip, and does not refuse it by `q=0` (RFC 9110 §12.5.3). */
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/**
 * Serves a text that pages of any origin may read: compressed where the client takes that, with an `ETag` for each
 * encoding (RFC 9110 §8.8.3.3) and 304.
 *
 * @param make called once, when the text is prepared or first requested
 */
export function serveContent(
  server: FastifyInstance,
  url: string,
  type: string,
  make: () => string,
): Prepare {
  const plain = once(() => Buffer.from(make()));
  const zipped = once(() => compress(plain()));
  server.get(url, { config: { policy: { cache: REVALIDATED } } }, async (request, reply) => {
    const isZipped = TAKES_GZIP.test(request.headers['accept-encoding'] ?? '');
    const body = isZipped ? await zipped() : plain();
    const vary = [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', ');
    void reply.header('vary', vary).type(type);
    // CORS may allow more already.
    if (!reply.hasHeader('access-control-allow-origin'))
      void reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag' });
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    if (isNotModified(reply, { etag, lastModified: null })) return reply.send();
    if (isZipped) void reply.header('content-encoding', 'gzip');
    return reply.send(body);
  });
  return zipped;
}

export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
