import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';

import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { CachePolicy } from '../http/caching/cache-policy.js';
import { isNotModified } from '../http/caching/validated.js';

const compress = promisify(gzip);
const decompress = promisify(brotliDecompress);

/** Revalidated each time; shared caches may keep it, since it is the same for everybody. */
export const REVALIDATED: CachePolicy = {
  withCredentials: 'public, no-cache',
  anonymous: 'public, no-cache',
};

/** For content whose address changes with it. */
const FOR_EVER = 'public, max-age=31536000, immutable';
export const IMMUTABLE: CachePolicy = { withCredentials: FOR_EVER, anonymous: FOR_EVER };

export interface Content {
  readonly url: string;
  readonly type: string;
  readonly cache: CachePolicy;
  /** Pages of any origin may read it. */
  readonly isShared?: boolean;
  /** Makes the content; it is asked once, when the content is prepared or first requested. */
  readonly make: () => string;
}

/** A content in the encodings that it is sent in, each with an entity tag of its own (RFC 9110 §8.8.3.3). */
class Encodings {
  private readonly made = new Map<string, Promise<Encoded>>();

  constructor(private readonly makers: Readonly<Record<string, () => Promise<Buffer>>>) {}

  get(coding: string): Promise<Encoded> {
    let encoded = this.made.get(coding);
    if (!encoded) this.made.set(coding, (encoded = this.make(coding)));
    return encoded;
  }

  /** The first of the encodings that the client takes; as it is where it takes none. */
  chosenFor(request: FastifyRequest): string {
    const accepted = acceptedCodings(request.headers['accept-encoding']);
    return Object.keys(this.makers).find((coding) => accepted.has(coding)) ?? IDENTITY;
  }

  private async make(coding: string): Promise<Encoded> {
    const body = await (this.makers[coding] as () => Promise<Buffer>)();
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
  }
}

interface Encoded {
  readonly body: Buffer;
  readonly etag: string;
}

const IDENTITY = 'identity';

/** The codings that `Accept-Encoding` names and does not refuse by `q=0` (RFC 9110 §12.5.3). */
function acceptedCodings(header = ''): ReadonlySet<string> {
  const members = header
    .split(',')
    .map((member) => member.split(';').map((part) => part.trim().toLowerCase()));
  return new Set(
    members.filter(([, quality]) => !/^q=0(\.0*)?$/.test(quality ?? '')).map(([coding = '']) => coding),
  );
}

/** Makes what is served ahead of its first request. */
export type Prepare = () => Promise<unknown>;

/** Serves a text: compressed where the client takes that, with an `ETag` and 304. */
export function serveContent(server: FastifyInstance, { make, ...content }: Content): Prepare {
  const plain = once(() => Buffer.from(make()));
  const encodings = new Encodings({
    gzip: async () => compress(plain()),
    [IDENTITY]: () => Promise.resolve(plain()),
  });
  serve(server, content, encodings);
  return () => encodings.get('gzip');
}

/** Serves what is stored as a Brotli stream (RFC 7932). */
export function serveBrotli(
  server: FastifyInstance,
  content: Omit<Content, 'make'>,
  stored: () => Buffer,
): void {
  const plain = once(() => decompress(stored()));
  const encodings = new Encodings({
    br: () => Promise.resolve(stored()),
    gzip: async () => compress(await plain()),
    [IDENTITY]: plain,
  });
  serve(server, content, encodings);
}

function serve(server: FastifyInstance, content: Omit<Content, 'make'>, encodings: Encodings): void {
  const { url, type, cache, isShared = false } = content;
  server.get(url, { config: { policy: { cache } } }, async (request, reply) => {
    const coding = encodings.chosenFor(request);
    const { body, etag } = await encodings.get(coding);
    void reply
      .header('vary', [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', '))
      .type(type);
    if (isShared) share(reply);
    if (isNotModified(reply, { etag, lastModified: null })) return reply.send();
    if (coding !== IDENTITY) void reply.header('content-encoding', coding);
    return reply.send(body);
  });
}

/** Lets pages of any origin read the response, where CORS does not allow them more already. */
function share(reply: FastifyReply): void {
  if (reply.hasHeader('access-control-allow-origin')) return;
  void reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag' });
}

export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
