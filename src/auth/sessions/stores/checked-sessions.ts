import { LoginsRepository } from '../logins.repository.js';
import { Session, SessionKeeper, SessionOwner, SessionStore } from '../session-store.js';

/**
 * Sessions that are kept outside PostgreSQL and valid only while PostgreSQL has their login: a revoked session stays
 * revoked when the keeper was unreachable, or has lost the removal.
 */
export class CheckedSessions extends SessionStore {
  constructor(
    private readonly keeper: SessionKeeper,
    private readonly logins: LoginsRepository,
  ) {
    super();
  }

  add(digest: string, owner: SessionOwner, ttlMs: number): Promise<void> {
    return this.keeper.add(digest, owner, ttlMs);
  }

  async find(digest: string): Promise<Session | null> {
    const kept = await this.keeper.find(digest);
    if (!kept) return null;
    const login = await this.logins.findCurrent(kept.loginId);
    if (login) return { ...login, loginId: kept.loginId, msLeft: kept.msLeft };
    void this.removeOf([kept.loginId]);
    return null;
  }

  extend(digest: string, owner: SessionOwner, ttlMs: number): Promise<void> {
    return this.keeper.extend(digest, owner, ttlMs);
  }

  async removeOf(loginIds: readonly number[]): Promise<void> {
    // An entry that remains is useless: it is removed when it is found again, or expires.
    await this.keeper.removeOf(loginIds).catch(() => undefined);
  }

  removeExpired(): Promise<void> {
    return this.keeper.removeExpired();
  }
}
