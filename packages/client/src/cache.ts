export interface CachedResponse {
  readonly etag: string;
  readonly text: string;
}

const MAX_ENTRIES = 200;
/** The maximum length of a cached response, in characters. */
const MAX_LENGTH = 262_144;

/**
 * Caches the most recent responses to GET by URL, with their `ETag`. A cached response is used only after the server has
 * confirmed that it is current, with a 304 that has no body (RFC 9110 §13.1.2).
 */
export class ResponseCache {
  readonly #entries = new Map<string, CachedResponse>();

  get(url: string): CachedResponse | undefined {
    return this.#entries.get(url);
  }

  /** Caches a response as the most recent one, unless it is too long, has no `ETag`, or the server forbids caching. */
  put(url: string, headers: Headers, text: string): void {
    this.#entries.delete(url);
    const etag = headers.get('etag');
    const isForbidden = headers.get('cache-control')?.includes('no-store') ?? false;
    if (etag === null || isForbidden || text.length > MAX_LENGTH) return;
    this.#entries.set(url, { etag, text });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
  }

  clear(): void {
    this.#entries.clear();
  }
}
