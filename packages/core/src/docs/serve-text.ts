import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { FastifyInstance } from 'fastify';

import { CachePolicy } from '../http/caching/cache-policy.js';
import { applyValidators } from '../http/caching/preconditions.js';
import { chooseMediaType } from '../http/negotiation/negotiate.js';

type Text = string | Buffer;

/** Revalidated each time; shared caches may keep it, since it is the same for everybody. */
const REVALIDATED: CachePolicy = { withCredentials: 'public, no-cache', anonymous: 'public, no-cache' };
/** Of a URL that has the digest of what it serves. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The media types of what is served, by the ends of paths. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
};

/** The content codings, the better first. A higher quality of Brotli takes ten times as long for one part in twenty. */
const CODINGS: Readonly<Record<string, (text: Text) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text) => promisify(gzip)(text),
};

/** Serves a text, compressed once for each coding. @returns its digest: with `?v=<digest>` it is never asked for again */
export function serveText(server: FastifyInstance, url: string, make: () => Text): () => string {
  const text = once(make);
  const digest = once(() => createHash('sha256').update(text()).digest('base64url'));
  const coded = Object.fromEntries(
    Object.entries(CODINGS).map(([coding, compress]) => [coding, once(() => compress(text()))]),
  );
  server.get(url, { config: { policy: { cache: REVALIDATED } } }, async (request, reply) => {
    const accepted = request.headers['accept-encoding'];
    const coding = accepted ? chooseMediaType(accepted, Object.keys(CODINGS)) : undefined;
    const etag = `"${[digest(), coding].filter(Boolean).join('-')}"`;
    void reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
    const isCurrent = applyValidators(reply, { etag, lastModified: null });
    if (request.url.endsWith(`?v=${digest()}`)) void reply.header('cache-control', IMMUTABLE);
    if (isCurrent) return reply.send();
    const body = coding === undefined ? text() : await coded[coding]?.();
    if (coding !== undefined) void reply.header('content-encoding', coding);
    return reply.type(TYPES[extname(url)] as string).send(body);
  });
  return digest;
}

/** A function that calls another one once and keeps what it returns. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
