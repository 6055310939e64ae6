import { Role } from '../../access/permissions.js';
import { Connection } from '../../database/connection.js';

/** What a session stands for. */
export interface Session {
  readonly loginId: number;
  readonly userId: number;
  readonly role: Role;
}

export interface FoundSession extends Session {
  /** Milliseconds until it expires. */
  readonly msLeft: number;
}

/**
 * Where sessions are kept: by the digest of their id, one for each login. All stores behave alike, and the same
 * tests run over all of them. Inject it by this class.
 */
export abstract class SessionStore {
  /** @param on the transaction of the login */
  abstract add(digest: string, session: Session, ttlMs: number, on: Connection): Promise<void>;

  /** The session of a digest; `null` where there is none, or none any more. */
  abstract find(digest: string): Promise<FoundSession | null>;

  /** Lets a session live for `ttlMs` from now. One that has ended stays so. */
  abstract extend(digest: string, session: Session, ttlMs: number): Promise<void>;

  /** Ends the session of a login. */
  abstract remove(login: Pick<Session, 'loginId' | 'userId'>): Promise<void>;

  /** Ends all sessions of a user, but for that of one login. */
  abstract removeOfUser(userId: number, exceptLoginId: number | null, on: Connection): Promise<void>;

  /** Gives back the room that expired sessions take. */
  abstract removeExpired(): Promise<void>;
}
