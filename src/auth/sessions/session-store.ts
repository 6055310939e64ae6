import { Role } from '../../access/permissions.js';
import { Connection } from '../../database/connection.js';

/** The login that a session belongs to. */
export interface SessionOwner {
  readonly loginId: number;
  readonly userId: number;
}

/** A session that is good, with the role that its user has. */
export interface Session extends SessionOwner {
  readonly role: Role;
  /** Milliseconds until it expires. */
  readonly msLeft: number;
}

/**
 * Where sessions are kept: by the digest of their id, one for each login. A session ends with its login, whether or
 * not the store could be told. All stores behave alike, and the same tests run over all of them. Inject it by this
 * class.
 */
export abstract class SessionStore {
  /**
   * @param on the transaction of the login
   * @throws ApiError `SESSION_STORE_UNAVAILABLE`
   */
  abstract add(digest: string, owner: SessionOwner, ttlMs: number, on: Connection): Promise<void>;

  /** The session of a digest; `null` if there is none or its login has ended. @throws ApiError as `add` does */
  abstract find(digest: string): Promise<Session | null>;

  /** Lets a session live for `ttlMs` from now. One that has expired stays so. @throws ApiError as `add` does */
  abstract extend(digest: string, owner: SessionOwner, ttlMs: number): Promise<void>;

  /** Removes the sessions of logins that have ended. Does not fail: nobody can use them any more. */
  abstract removeOf(loginIds: readonly number[]): Promise<void>;

  /** Frees the space of expired sessions. */
  abstract removeExpired(): Promise<void>;
}
