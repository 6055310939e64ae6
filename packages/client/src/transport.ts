import type { Auth, AuthContext, Credentials, Issued } from './auth.js';
import { CookieJar } from './cookies.js';
import { type CachedResponse, ResponseCache } from './cache.js';
import { Deadline, pause, unlessAborted } from './deadline.js';
import { type ApiError, ConnectionError, TimeoutError } from './errors.js';
import { Gate } from './gate.js';
import { asksForRetry, delayMs, isRepeatable, retryAfterMs } from './retries.js';
import type { Call, RequestOptions, Result } from './types.js';
import { bodyOf, contentOf, errorOf, isJson, queryString } from './wire.js';

/** The options of a client. */
export interface TransportOptions {
  /** The address of the server, without `/api/v1`: `https://api.example.com`. */
  readonly baseUrl: string;
  /** The credentials: `token()`, `apiKey()`, `basic()` or `session()`. Default: none. */
  readonly auth?: Auth | undefined;
  /** The time limit of an attempt, in milliseconds. 0 means no limit. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of further attempts after a failed one. Default: 3. */
  readonly retries?: number | undefined;
  /**
   * The maximum `Retry-After` to wait for, in milliseconds. If it is longer, the request fails at once. Default: 30,000.
   */
  readonly maxRetryDelayMs?: number | undefined;
  /** Whether to cache responses with their `ETag`, and to return them after a 304. Default: true. */
  readonly cache?: boolean | undefined;
  /**
   * Called with the error of a 401 before it is thrown, for example because the login has ended. Not called for a
   * failed login.
   */
  readonly onUnauthenticated?: ((error: ApiError) => void) | undefined;
  /** The maximum number of concurrent requests. Further requests wait. Default: no limit, or 16 with `keepToRate`. */
  readonly concurrency?: number | undefined;
  /**
   * Whether to send only as many requests as the server's `RateLimit` allows. If no requests are left in the current
   * window, requests wait for the next window, however long this takes. Other clients of the same caller share the
   * window. Use it for work on many rows. Default: false.
   */
  readonly keepToRate?: boolean | undefined;
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The `fetch` to use. Default: the global one. */
  readonly fetch?: typeof fetch | undefined;
}

interface Attempt {
  readonly response: Response;
  readonly data: unknown;
  readonly text: string;
}

const NO_AUTH: Auth = { apply: () => undefined };

/** Sends requests. Adds and renews credentials, repeats requests, limits their time, and uses the cache. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #auth: Auth;
  readonly #cache: ResponseCache | undefined;
  readonly #cookies = new CookieJar();
  readonly #gate: Gate;
  readonly #base: string;
  readonly #root: string;
  readonly #context: AuthContext;
  constructor(options: TransportOptions, versionPath: string) {
    this.#options = options;
    this.#auth = options.auth ?? NO_AUTH;
    this.#cache = options.cache === false ? undefined : new ResponseCache();
    this.#gate = new Gate(options.keepToRate, options.concurrency);
    this.#base = options.baseUrl.replace(/\/+$/, '');
    this.#root = versionPath;
    this.#context = {
      cookies: this.#cookies,
      origin: new URL(this.#base, (globalThis as { location?: Location }).location?.href).origin,
      logIn: (credentials, scheme) => this.#postLogin(credentials, scheme),
      refresh: () => this.#post<Issued>('refresh', '/auth/refresh'),
    };
  }

  /** Logs in with the scheme of the client. The client then sends the issued credentials with each request. */
  async logIn(credentials: Credentials): Promise<Issued> {
    const { login } = this.#auth;
    if (!login) throw new TypeError('login() needs a client with token() or session()');
    const issued = await this.#postLogin(credentials, login);
    this.#auth.accept?.(issued);
    this.#cache?.clear();
    return issued;
  }

  /** Ends the login on the server. Forgets issued credentials and cached responses, whatever the server answers. */
  async logOut(options: RequestOptions | undefined): Promise<void> {
    const path = `${this.#root}/logout`;
    try {
      await this.send({ operation: 'logout', method: 'POST', path, withCookies: true, options });
    } finally {
      this.#auth.forget?.();
      this.#cookies.clear();
      this.#cache?.clear();
    }
  }

  #postLogin({ email, password }: Credentials, scheme: 'token' | 'session'): Promise<Issued> {
    return this.#post('login', '/login', { email, password, scheme });
  }

  async #post<T>(operation: string, path: string, body?: unknown): Promise<T> {
    const call = { operation, method: 'POST', path: this.#root + path, body };
    return (await this.send<T>({ ...call, withCookies: true, isAnonymous: true })).data;
  }

  clearCache(): void {
    this.#cache?.clear();
  }

  /**
   * Sends a request, with retries and new credentials if necessary. After a 304, returns the cached response.
   *
   * @throws ApiError if the server answers with an error
   * @throws ConnectionError, TimeoutError if the server does not answer and there are no retries left
   */
  async send<Data>(call: Call): Promise<Result<Data>> {
    const url = this.#base + call.path + queryString(call.query);
    const cached = call.method === 'GET' ? this.#cache?.get(url) : undefined;
    const { response, data, text } = await this.#attempts(call, url, cached);
    const { status, headers } = response;
    const etag = headers.get('etag');
    if (status === 304 && cached) {
      return { data: JSON.parse(cached.text) as Data, etag: cached.etag, status: 200, headers };
    }
    const isOfApi = call.takesAnyType || data !== undefined || text === '';
    if (!response.ok || !isOfApi) {
      const error = errorOf(call.operation, url, response, text);
      if (status === 401 && !call.isAnonymous) this.#options.onUnauthenticated?.(error);
      throw error;
    }
    if (call.method === 'GET' && text !== '') this.#cache?.put(url, headers, text);
    return { data: data as Data, etag, status, headers };
  }

  /** Sends the request, and repeats it until a response is final or no retries are left. */
  async #attempts(call: Call, url: string, cached: CachedResponse | undefined): Promise<Attempt> {
    const { signal, retries = this.#options.retries ?? 3 } = call.options ?? {};
    let isRenewed = false;
    for (let attempt = 0; ; attempt++) {
      const headers = this.#headersOf(call, cached);
      const used = call.isAnonymous
        ? undefined
        : await unlessAborted(() => this.#auth.apply(headers, this.#context), signal);
      // Reads the cookies only after `apply()`, which may log in and receive them.
      const cookies = this.#auth.usesCookies || call.withCookies ? this.#cookies.header() : '';
      if (cookies !== '') headers.set('cookie', cookies);
      let askedMs: number | undefined;
      try {
        const send = (): Promise<Attempt> => this.#attempt(call, url, headers);
        // Logins do not pass the gate: they have their own rate limit, and requests in the gate may wait for them.
        const result = await (call.isAnonymous ? send() : this.#gate.pass(send, signal, countOf(call)));
        const { status, headers: answered } = result.response;
        if (
          status === 401 &&
          !call.isAnonymous &&
          !isRenewed &&
          (await unlessAborted(() => this.#auth.renew?.(used, this.#context), signal))
        ) {
          isRenewed = true;
          // The request with the new credential does not count as a retry.
          attempt -= 1;
          continue;
        }
        askedMs = retryAfterMs(answered);
        const isTooLong = (askedMs ?? 0) > (this.#options.maxRetryDelayMs ?? 30_000);
        if (attempt >= retries || isTooLong || !asksForRetry(call, status, result.text, attempt))
          return result;
      } catch (error) {
        if (!(error instanceof ConnectionError) || attempt >= retries || !isRepeatable(call)) throw error;
      }
      await pause(delayMs(attempt, askedMs), signal);
      // The credential may expire during the pause, so the next attempt may renew it again.
      isRenewed = false;
    }
  }

  /** Sends one request, and reads its response to the end. */
  async #attempt(call: Call, url: string, headers: Headers): Promise<Attempt> {
    const { signal, timeoutMs = this.#options.timeoutMs ?? 30_000 } = call.options ?? {};
    const body = bodyOf(call.body);
    const deadline = new Deadline(signal, timeoutMs);
    const send = this.#options.fetch ?? fetch;
    try {
      const response = await send(url, {
        method: call.method,
        headers,
        body,
        signal: deadline.signal,
        // The API has no redirects. Following one would send keys and cookies to an unknown server.
        redirect: 'manual',
        credentials: call.withCookies || this.#auth.usesCookies ? 'include' : 'same-origin',
        // Asks the server each time, because a browser's own copy of a public response may be 30 seconds old.
        cache: this.#cache ? 'no-cache' : 'no-store',
      });
      this.#cookies.read(response.headers);
      const content = await contentOf(response, call.takesAnyType);
      if (content.data instanceof ReadableStream) deadline.stopClock();
      else deadline.end();
      return { response, ...content };
    } catch (error) {
      deadline.end();
      signal?.throwIfAborted();
      const where = `${call.method} ${url}`;
      if (deadline.isOver)
        throw new TimeoutError(`${where}: no response within ${timeoutMs} ms`, { cause: error });
      throw new ConnectionError(`${where}: ${(error as Error).message}`, { cause: error });
    }
  }

  #headersOf(call: Call, cached: CachedResponse | undefined): Headers {
    const headers = new Headers({ accept: 'application/json, */*;q=0.1', ...this.#options.headers });
    if (isJson(call.body)) headers.set('content-type', 'application/json');
    if (cached) headers.set('if-none-match', cached.etag);
    for (const [name, value] of Object.entries({ ...call.headers, ...call.options?.headers })) {
      if (value !== undefined) headers.set(name, value);
    }
    return headers;
  }
}

/** Returns the number of requests that the server counts for a call. It counts each operation of a batch as one. */
function countOf({ path, body }: Call): number {
  const { operations } = (body ?? {}) as { operations?: unknown };
  return path.endsWith('/batch') && Array.isArray(operations) ? operations.length : 1;
}
