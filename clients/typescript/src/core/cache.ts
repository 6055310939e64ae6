export interface CachedResponse {
  readonly etag: string;
  readonly text: string;
}

export interface CacheOptions {
  /** Responses that are kept, the least recently used go first. */
  readonly maxEntries?: number;
  /** Longer responses are not kept, in characters. */
  readonly maxLength?: number;
}

/**
 * The last responses to GET by their URL, with their `ETag`. Nothing is served from it unasked: the server is asked
 * each time whether a response is still current, and answers 304 without a body if it is (RFC 9110 §13.1.2).
 */
export class ResponseCache {
  readonly #entries = new Map<string, CachedResponse>();
  readonly #maxEntries: number;
  readonly #maxLength: number;

  constructor({ maxEntries = 200, maxLength = 262_144 }: CacheOptions = {}) {
    this.#maxEntries = maxEntries;
    this.#maxLength = maxLength;
  }

  get(url: string): CachedResponse | undefined {
    const entry = this.#entries.get(url);
    if (entry) {
      this.#entries.delete(url);
      this.#entries.set(url, entry);
    }
    return entry;
  }

  /** Keeps a response unless it is too long, or has no validator, or the server forbids it. */
  put(url: string, headers: Headers, text: string): void {
    this.#entries.delete(url);
    const etag = headers.get('etag');
    const isForbidden = headers.get('cache-control')?.includes('no-store') ?? false;
    if (etag === null || isForbidden || text.length > this.#maxLength) return;
    this.#entries.set(url, { etag, text });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries) break;
      this.#entries.delete(oldest);
    }
  }

  clear(): void {
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }
}
