import type { Auth, AuthContext, Credentials, Issued } from './auth.js';
import { CookieJar } from './cookies.js';
import { type CachedResponse, ResponseCache } from './cache.js';
import { Deadline, pause, unlessAborted } from './deadline.js';
import { type ApiError, ConnectionError, TimeoutError } from './errors.js';
import { Gate } from './gate.js';
import { asksForRetry, delayMs, isRepeatable, retryAfterMs } from './retries.js';
import type { Call, RequestOptions, Result } from './types.js';
import { bodyOf, contentOf, errorOf, isJson, queryString } from './wire.js';

/** How a client behaves. */
export interface TransportOptions {
  /** Where the API is: `https://api.example.com`, without `/api/v1`. */
  readonly baseUrl: string;
  /** Credentials: `token()`, `apiKey()`, `basic()` or `session()`. Default: none. */
  readonly auth?: Auth | undefined;
  /** How long an attempt may take, in milliseconds; 0: without an end. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is followed by another one. Default: 3. */
  readonly retries?: number | undefined;
  /**
   * The longest `Retry-After` that is waited for, in milliseconds; a longer one is an error at once. Default: 30,000.
   */
  readonly maxRetryDelayMs?: number | undefined;
  /** Keeps responses with their `ETag`, and lets 304 stand for them. Default: true. */
  readonly cache?: boolean | undefined;
  /**
   * Called with the 401 that a request ends with, before it is thrown: there is no login, or it has ended. Failed
   * logins do not call it.
   */
  readonly onUnauthenticated?: ((error: ApiError) => void) | undefined;
  /** Requests at once; the others wait. Default: no limit; 16 with `keepToRate`. */
  readonly concurrency?: number | undefined;
  /**
   * Sends no more requests than the server announces in `RateLimit`, and waits for the next window, however long,
   * where it or another client of the caller has used one up. For work on many rows. Default: false.
   */
  readonly keepToRate?: boolean | undefined;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

interface Attempt {
  readonly response: Response;
  readonly data: unknown;
  readonly text: string;
}

const NO_AUTH: Auth = { apply: () => undefined };

/** Sends requests: credentials, renewal, retries, time-outs, the cache. */
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

  /** Logs in by the scheme of the client, which uses what is issued from now on. */
  async logIn(credentials: Credentials): Promise<Issued> {
    const { login } = this.#auth;
    if (!login) throw new TypeError('login() needs a client with token() or session()');
    const issued = await this.#postLogin(credentials, login);
    this.#auth.accept?.(issued);
    this.#cache?.clear();
    return issued;
  }

  /** Ends the login on the server, and forgets credentials that were issued, and responses, whatever it answers. */
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
   * @throws ApiError where the server answers with an error
   * @throws ConnectionError, TimeoutError where it does not answer, when the retries are used up
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

  /** Attempts until one is the answer. */
  async #attempts(call: Call, url: string, cached: CachedResponse | undefined): Promise<Attempt> {
    const { signal, retries = this.#options.retries ?? 3 } = call.options ?? {};
    let isRenewed = false;
    for (let attempt = 0; ; attempt++) {
      const headers = this.#headersOf(call, cached);
      const used = call.isAnonymous
        ? undefined
        : await unlessAborted(() => this.#auth.apply(headers, this.#context), signal);
      // After the credentials, which may have logged in for that.
      const cookies = this.#auth.usesCookies || call.withCookies ? this.#cookies.header() : '';
      if (cookies !== '') headers.set('cookie', cookies);
      let askedMs: number | undefined;
      try {
        const send = (): Promise<Attempt> => this.#attempt(call, url, headers);
        // Logins are counted for themselves, and others wait for them.
        const result = await (call.isAnonymous ? send() : this.#gate.pass(send, signal, countOf(call)));
        const { status, headers: answered } = result.response;
        if (
          status === 401 &&
          !call.isAnonymous &&
          !isRenewed &&
          (await unlessAborted(() => this.#auth.renew?.(used, this.#context), signal))
        ) {
          isRenewed = true;
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
      // The new credential may have expired meanwhile.
      isRenewed = false;
    }
  }

  /** One request and its response, read to the end. */
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
        // A redirect that is followed takes keys and cookies along, to wherever it leads. The API has none.
        redirect: 'manual',
        credentials: call.withCookies || this.#auth.usesCookies ? 'include' : 'same-origin',
        // The server is asked each time; a browser's own copy of what anonymous callers read may be 30 seconds old.
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
        throw new TimeoutError(`${where}: no answer within ${timeoutMs} ms`, { cause: error });
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

/** As how many requests the server counts a call: of a batch, each operation is one. */
function countOf({ path, body }: Call): number {
  const { operations } = (body ?? {}) as { operations?: unknown };
  return path.endsWith('/batch') && Array.isArray(operations) ? operations.length : 1;
}
