export interface CachedResponse {
  readonly etag: string;
  readonly text: string;
}

const MAX_ENTRIES = 200;
/** Longer responses are not kept, in characters. */
const MAX_LENGTH = 262_144;

/**
 * The last responses to GET by their URL, with their `ETag`. Nothing is served from it unasked: the server is asked
 * each time whether a response is still current, and answers 304 without a body if it is (RFC 9110 §13.1.2).
 */
export class ResponseCache {
  readonly #entries = new Map<string, CachedResponse>();

  get(url: string): CachedResponse | undefined {
    return this.#entries.get(url);
  }

  /** Keeps a response, the last one, unless it is too long, or has no validator, or the server forbids it. */
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
