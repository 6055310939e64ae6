import { Connection, Role } from '../../core/index.js';

/** The login that a session belongs to. */
export interface SessionOwner {
  readonly loginId: number;
  readonly userId: number;
}

/** A valid session, with the current role of its user. */
export interface Session extends SessionOwner {
  readonly role: Role;
  /** Milliseconds until it expires. */
  readonly msLeft: number;
}

/**
 * Stores sessions by the digests of their ids, one per login. A session ends with its login, whether or not the store
 * was reachable. All stores behave alike, and pass the same tests. Inject it by this class.
 */
export abstract class SessionStore {
  /**
   * @param on the transaction of the login
   * @throws ApiError `SESSION_STORE_UNAVAILABLE`
   */
  abstract add(digest: string, owner: SessionOwner, ttlMs: number, on: Connection): Promise<void>;

  /** The session of a digest; `null` if there is none or its login has ended. @throws ApiError as `add` does */
  abstract find(digest: string): Promise<Session | null>;

  /** Lets a session live for `ttlMs` from now. Has no effect on an expired one. @throws ApiError as `add` does */
  abstract extend(digest: string, owner: SessionOwner, ttlMs: number): Promise<void>;

  /** Removes the sessions of ended logins. Never fails: these sessions are invalid in any case. */
  abstract removeOf(loginIds: readonly number[]): Promise<void>;

  /** Frees the space of expired sessions. */
  abstract removeExpired(): Promise<void>;
}

export interface KeptSession extends SessionOwner {
  /** Milliseconds until it expires. */
  readonly msLeft: number;
}

/** Keeps sessions outside PostgreSQL, and may miss the end of a login: `CheckedSessions` makes up for that. */
export interface SessionKeeper {
  add(digest: string, owner: SessionOwner, ttlMs: number): Promise<void>;
  find(digest: string): Promise<KeptSession | null>;
  /** Has no effect on a session that is missing or expired. */
  extend(digest: string, owner: SessionOwner, ttlMs: number): Promise<void>;
  removeOf(loginIds: readonly number[]): Promise<void>;
  removeExpired(): Promise<void>;
}
