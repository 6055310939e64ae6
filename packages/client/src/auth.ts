import { ApiError } from './errors.js';
import type { CookieJar } from './cookies.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** The body of the response to a login or a refresh. */
export interface Issued {
  readonly accessToken?: string;
}

/** The parts of a client that its authentication scheme uses. */
export interface AuthContext {
  readonly cookies: CookieJar;
  /** Sends `POST /login`, and stores the cookies of the response. */
  logIn(credentials: Credentials, scheme: 'token' | 'session'): Promise<Issued>;
  /** Sends `POST /auth/refresh` with the refresh cookie. */
  refresh(): Promise<Issued>;
  /** The origin of the server. Requests that a cookie authenticates must send it. */
  readonly origin: string;
}

/**
 * Adds credentials to requests. Create an instance with {@link token}, {@link apiKey}, {@link basic} or {@link session},
 * and use each instance for only one client.
 */
export interface Auth {
  /** The kind of credentials that `login()` requests. `undefined` if the scheme has no login. */
  readonly login?: 'token' | 'session';
  /** Whether a cookie authenticates every request. */
  readonly usesCookies?: boolean;
  /** Adds the credential to the headers. Resolves to the value that is later passed to {@link renew}. */
  apply(headers: Headers, context: AuthContext): Promise<string | undefined> | string | undefined;
  /** Called after a 401. Resolves to `true` if the request should be sent again with a new credential. */
  renew?(used: string | undefined, context: AuthContext): Promise<boolean>;
  /** Stores the credentials that a login issued. */
  accept?(issued: Issued): void;
  /** Forgets the credentials that a login issued. */
  forget?(): void;
}

const isBrowser = typeof document !== 'undefined';

/** Returns a function that runs only one work at a time. Callers that come during a run get the result of that run. */
function singleFlight<T>(): (work: () => Promise<T>) => Promise<T> {
  let running: Promise<T> | undefined;
  return (work) =>
    (running ??= work().finally(() => {
      running = undefined;
    }));
}

/**
 * Runs only one refresh at a time in all tabs of an origin. Otherwise two tabs could use the same refresh token, and a
 * second use can end the login. Pages without TLS have no Web Locks API: there, only requests of this client wait for
 * each other.
 */
async function acrossTabs<T>(work: () => Promise<T>): Promise<T> {
  const locks = (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
  return locks && isBrowser ? locks.request('refresh-token', work) : work();
}

/**
 * Authenticates with bearer tokens. An expired access token is refreshed once for all requests that need it, and then
 * these requests are sent again.
 *
 * @param source where tokens come from:
 * - omitted: `login()` gets the first token, and the refresh cookie gets later ones
 * - an e-mail and a password: the first request logs in; a later request logs in again if the refresh token has expired
 * - a function: returns a token; called before the first request and after each 401
 * - a string: this token, which is never refreshed
 */
export const token = (source?: TokenSource): Auth => new TokenAuth(source);

type TokenSource = string | Credentials | (() => string | Promise<string>);

class TokenAuth implements Auth {
  readonly login = 'token';
  private access: string | undefined;
  /**
   * Whether to try a refresh with the cookie. At first, this is true only without a `source`: the browser may still have
   * the cookie of a previous page. With an e-mail and a password, that cookie could belong to another user. After a
   * refused refresh, this is false, because then only a login can get a new token.
   */
  private isRefreshable: boolean;
  /** The number of logins and logouts. If it changes during a refresh, the refreshed token is outdated. */
  private changes = 0;
  private readonly once = singleFlight<boolean>();

  constructor(private readonly source: TokenSource | undefined) {
    this.access = typeof source === 'string' ? source : undefined;
    this.isRefreshable = source === undefined;
  }

  async apply(headers: Headers, context: AuthContext): Promise<string | undefined> {
    const canObtain = typeof this.source === 'object' || typeof this.source === 'function';
    if (this.access === undefined && canObtain) await this.once(() => this.obtain(context));
    if (this.access !== undefined) headers.set('authorization', `Bearer ${this.access}`);
    return this.access;
  }

  async renew(used: string | undefined, context: AuthContext): Promise<boolean> {
    // Another request has renewed the token since this one was sent.
    if (this.access !== undefined && this.access !== used) return true;
    return this.once(() => this.obtain(context));
  }

  accept(issued: Issued): void {
    this.access = issued.accessToken;
    this.isRefreshable = true;
    this.changes += 1;
  }

  forget(): void {
    this.access = undefined;
    this.isRefreshable = false;
    this.changes += 1;
  }

  private async obtain(context: AuthContext): Promise<boolean> {
    if (typeof this.source === 'string') return false;
    if (typeof this.source === 'function') {
      this.access = await this.source();
      return true;
    }
    if (this.isRefreshable && (await this.refresh(context))) return true;
    return this.source ? this.logIn(this.source, context) : false;
  }

  private async refresh(context: AuthContext): Promise<boolean> {
    // Outside of browsers, the cookie exists only after a login of this client.
    if (!isBrowser && !context.cookies.has('refresh_token')) return false;
    const before = this.changes;
    try {
      const issued = await acrossTabs(() => context.refresh());
      // The user has logged in or out during the refresh: keep the result of that, and ignore the refreshed token.
      if (this.changes !== before) return this.access !== undefined;
      this.access = issued.accessToken;
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      this.isRefreshable = false;
      this.access = undefined;
      return false;
    }
  }

  private async logIn(credentials: Credentials, context: AuthContext): Promise<boolean> {
    this.access = (await context.logIn(credentials, 'token')).accessToken;
    // In a browser, all clients of a page share one refresh cookie. Another client may replace it with that of another
    // user.
    this.isRefreshable = !isBrowser;
    return true;
  }
}

/** Authenticates with an API key, in the header `X-API-Key`. */
export function apiKey(key: string): Auth {
  return {
    apply(headers) {
      headers.set('x-api-key', key);
      return undefined;
    },
  };
}

/** Authenticates with HTTP Basic: sends the e-mail and the password in UTF-8 with every request (RFC 7617). */
export function basic(email: string, password: string): Auth {
  const bytes = new TextEncoder().encode(`${email}:${password}`);
  const value = `Basic ${btoa(String.fromCharCode(...bytes))}`;
  return {
    apply(headers) {
      headers.set('authorization', value);
      return undefined;
    },
  };
}

/** Authenticates with the session cookie that `login()` gets. In runtimes other than browsers, the client stores it. */
export function session(): Auth {
  return {
    login: 'session',
    usesCookies: true,
    apply(headers, context) {
      // Browsers set this header themselves and ignore this value.
      headers.set('origin', context.origin);
      return undefined;
    },
  };
}
