import { SessionOwner } from '../session-store.js';

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
