import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { CachePolicy } from '../http/caching/cache-policy.js';
import { applyValidators } from '../http/caching/preconditions.js';
import { chooseMediaType } from '../http/negotiation/media-types.js';
import { toOriginForm } from '../http/target.js';
import { ORIGIN } from './examples.js';

/** Shared caches may keep a text, because it is the same for all callers. They revalidate it each time. */
const PUBLIC_REVALIDATED: CachePolicy = {
  withCredentials: 'public, no-cache',
  anonymous: 'public, no-cache',
};

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
};

/** The content codings, the preferred one first. A higher Brotli quality takes ten times as long and saves only 5 %. */
const CODINGS: Readonly<Record<string, (text: Buffer) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text) => promisify(gzip)(text),
};

/** A text with its digest and its compressed forms. All responses share the buffers, however slowly clients read. */
class ServedText {
  readonly digest: string;
  private readonly coded: Readonly<Record<string, () => Promise<Buffer>>>;

  constructor(readonly text: Buffer) {
    this.digest = createHash('sha256').update(text).digest('base64url');
    const entries = Object.entries(CODINGS).map(([name, compress]) => [name, memoize(() => compress(text))]);
    this.coded = Object.fromEntries(entries) as typeof this.coded;
  }

  async encodedAs(coding: string | undefined): Promise<Buffer> {
    return (coding !== undefined && (await this.coded[coding]?.())) || this.text;
  }
}

/**
 * The number of origins for which a compressed text is kept. If clients use more origins, the service compresses texts
 * again and again.
 */
const MAX_ORIGINS = 4;

/**
 * Returns the origin that a request was sent to, or `/` if the origin is malformed, such as with a forged
 * `X-Forwarded-Host`.
 */
function requestOrigin({ protocol, host }: FastifyRequest): string {
  const origin = `${protocol}://${host}`;
  return toOriginForm(origin) === undefined ? '/' : origin;
}

/**
 * Serves a text, and compresses it once per coding. Replaces `ORIGIN` in the text by the origin that the request was
 * sent to.
 * @param make builds the text. Runs once
 * @returns a function that returns the digest of the text. Browsers keep the URL with `?v=<digest>` for a year.
 */
export function serveText(server: FastifyInstance, url: string, make: () => string | Buffer): () => string {
  const text = memoize(make);
  const served = new LRUCache<string, ServedText>({
    max: MAX_ORIGINS,
    memoMethod: (origin) => {
      const whole = text();
      return new ServedText(
        typeof whole === 'string' ? Buffer.from(whole.replaceAll(ORIGIN, () => origin)) : whole,
      );
    },
  });
  server.get(url, { config: { policy: { cache: PUBLIC_REVALIDATED } } }, async (request, reply) => {
    const accepted = request.headers['accept-encoding'];
    const coding = accepted ? chooseMediaType(accepted, Object.keys(CODINGS)) : undefined;
    const found = served.memo(typeof text() === 'string' ? requestOrigin(request) : ORIGIN);
    const etag = `"${[found.digest, coding].filter(Boolean).join('-')}"`;
    void reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
    const isCurrent = applyValidators(reply, { etag, lastModified: null });
    if (request.url.endsWith(`?v=${found.digest}`))
      void reply.header('cache-control', 'public, max-age=31536000, immutable');
    if (isCurrent) return reply.send();
    const body = await found.encodedAs(coding);
    if (coding !== undefined) void reply.header('content-encoding', coding);
    return reply.type(CONTENT_TYPES[extname(url)] as string).send(body);
  });
  return () => served.memo(ORIGIN).digest;
}

/** Returns a function that calls `make` once, and returns the same value each time. */
export function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
