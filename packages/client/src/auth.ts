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

/** Runs work once for all who ask while it runs. */
function singleFlight<T>(): (work: () => Promise<T>) => Promise<T> {
  let running: Promise<T> | undefined;
  return (work) =>
    (running ??= work().finally(() => {
      running = undefined;
    }));
}

/**
 * One refresh at a time in all tabs of a site: a refresh token is good for one use, and a second one ends the login.
 * Where the Web Locks API is missing (pages without TLS), for this client alone.
 */
async function acrossTabs<T>(work: () => Promise<T>): Promise<T> {
  const locks = (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
  return locks && isBrowser ? locks.request('refresh-token', work) : work();
}

/**
 * Bearer tokens. An expired access token is refreshed, once for all requests that wait for it, and the requests are
 * sent again.
 *
 * @param source
 * nothing: `login()` gets the first token, the refresh cookie the others;
 * an e-mail and a password: the first request logs in, and again when the refresh token has expired;
 * a function: asked for a token first, and after each 401;
 * a string: this token, never refreshed
 */
export function token(source?: string | Credentials | (() => string | Promise<string>)): Auth {
  let access = typeof source === 'string' ? source : undefined;
  // Without a login of this client, the refresh cookie of a browser is of the page before; that of another user's,
  // where there are credentials. A refresh that was refused is not asked for again before the next login.
  let isRefreshable = source === undefined;
  /** How often somebody logged in or out. */
  let changes = 0;
  const once = singleFlight<boolean>();

  async function obtain(context: AuthContext): Promise<boolean> {
    if (typeof source === 'string') return false;
    if (typeof source === 'function') {
      access = await source();
      return true;
    }
    if (isRefreshable && (await refresh(context))) return true;
    return source ? logIn(source, context) : false;
  }

  async function refresh(context: AuthContext): Promise<boolean> {
    // Outside of browsers there is no cookie without a login of this client.
    if (!isBrowser && !context.cookies.has('refresh_token')) return false;
    const before = changes;
    try {
      const issued = await acrossTabs(() => context.refresh());
      // A login or logout meanwhile has the last word.
      if (changes !== before) return access !== undefined;
      access = issued.accessToken;
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      isRefreshable = false;
      access = undefined;
      return false;
    }
  }

  async function logIn(credentials: Credentials, context: AuthContext): Promise<boolean> {
    access = (await context.logIn(credentials, 'token')).accessToken;
    // All clients of a page share one refresh cookie: it may be of another user by then.
    isRefreshable = !isBrowser;
    return true;
  }

  return {
    login: 'token',
    async apply(headers, context) {
      if (access === undefined && (typeof source === 'object' || typeof source === 'function')) {
        await once(() => obtain(context));
      }
      if (access !== undefined) headers.set('authorization', `Bearer ${access}`);
      return access;
    },
    async renew(used, context) {
      // Another request has renewed it while this one was on its way.
      if (access !== undefined && access !== used) return true;
      return once(() => obtain(context));
    },
    accept(issued) {
      access = issued.accessToken;
      isRefreshable = true;
      changes += 1;
    },
    forget() {
      access = undefined;
      isRefreshable = false;
      changes += 1;
    },
  };
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
