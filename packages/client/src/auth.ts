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

/** The side of a client that its scheme uses. */
export interface AuthContext {
  readonly cookies: CookieJar;
  /** `POST /login`; the cookies of the response are kept. */
  logIn(credentials: Credentials, scheme: 'token' | 'session'): Promise<Issued>;
  /** `POST /auth/refresh` with the refresh cookie. */
  refresh(): Promise<Issued>;
  /** The origin of the server, for requests whose credential is a cookie. */
  readonly origin: string;
}

/**
 * Credentials for requests: made by {@link token}, {@link apiKey}, {@link basic} or {@link session}. For one client.
 */
export interface Auth {
  /** The kind of credentials that `login()` gets; `undefined`: this scheme has no login. */
  readonly login?: 'token' | 'session';
  /** Cookies are the credential of every request. */
  readonly usesCookies?: boolean;
  /** Adds the credential to the headers, and resolves to what {@link renew} recognizes it by. */
  apply(headers: Headers, context: AuthContext): Promise<string | undefined> | string | undefined;
  /** Called after a 401; resolves to whether there is a new credential to try. */
  renew?(used: string | undefined, context: AuthContext): Promise<boolean>;
  /** Takes over what a login issued. */
  accept?(issued: Issued): void;
  /** Forgets what was issued. */
  forget?(): void;
}

const isBrowser = typeof document !== 'undefined';

/** Runs work once for all callers that ask while it is running. */
function singleFlight<T>(): (work: () => Promise<T>) => Promise<T> {
  let running: Promise<T> | undefined;
  return (work) =>
    (running ??= work().finally(() => {
      running = undefined;
    }));
}

/**
 * Allows one refresh at a time in all tabs of a site. A refresh token is valid once; a second use ends the login. Without
 * the Web Locks API (pages without TLS) only this client waits.
 */
async function acrossTabs<T>(work: () => Promise<T>): Promise<T> {
  const locks = (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
  return locks && isBrowser ? locks.request('refresh-token', work) : work();
}

/**
 * Authenticates by bearer tokens. An expired access token is refreshed once for all requests that wait for it. Then those
 * requests are sent again.
 *
 * @param source decides where tokens come from:
 * - nothing: `login()` gets the first token, the refresh cookie the later ones
 * - an e-mail and a password: the first request logs in, and a later one if the refresh token has expired
 * - a function: called before the first request and after each 401
 * - a string: this token, which is never refreshed
 */
export const token = (source?: TokenSource): Auth => new TokenAuth(source);

type TokenSource = string | Credentials | (() => string | Promise<string>);

class TokenAuth implements Auth {
  readonly login = 'token';
  private access: string | undefined;
  /**
   * Whether to try the refresh cookie. A browser that has not logged in by this client may have a cookie from the previous
   * page. With credentials, that cookie may belong to another user. After a refused refresh, only a login tries again.
   */
  private isRefreshable: boolean;
  /** How often a user logged in or out. */
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
    // Another request renewed the token while this one was on its way.
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
    // Outside of browsers only a login of this client sets the cookie.
    if (!isBrowser && !context.cookies.has('refresh_token')) return false;
    const before = this.changes;
    try {
      const issued = await acrossTabs(() => context.refresh());
      // A login or logout that happened meanwhile wins.
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
    // All clients of a page share one refresh cookie. It may belong to another user by the time it is needed.
    this.isRefreshable = !isBrowser;
    return true;
  }
}

/** An API key, in `X-API-Key`. */
export function apiKey(key: string): Auth {
  return {
    apply(headers) {
      headers.set('x-api-key', key);
      return undefined;
    },
  };
}

/** HTTP Basic: an e-mail and a password with every request (RFC 7617), in UTF-8. */
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

/** The session cookie that `login()` gets. In a browser it is the browser's own; elsewhere the client keeps it. */
export function session(): Auth {
  return {
    login: 'session',
    usesCookies: true,
    apply(headers, context) {
      // Browsers name the origin themselves, and ignore this.
      headers.set('origin', context.origin);
      return undefined;
    },
  };
}
