import { KeptSession, SessionKeeper, SessionOwner } from '../session-store.js';

interface Entry extends SessionOwner {
  expiresAt: number;
}

/** Sessions in this process: lost when it ends, and unknown to other processes. */
export class MemorySessions implements SessionKeeper {
  private readonly sessions = new Map<string, Entry>();
  private readonly digests = new Map<number, string>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  async add(digest: string, { loginId, userId }: SessionOwner, ttlMs: number): Promise<void> {
    this.sessions.set(digest, { loginId, userId, expiresAt: this.now() + ttlMs });
    this.digests.set(loginId, digest);
  }

  async find(digest: string): Promise<KeptSession | null> {
    const entry = this.sessions.get(digest);
    if (!entry) return null;
    const { expiresAt, ...owner } = entry;
    const msLeft = expiresAt - this.now();
    return msLeft > 0 ? { ...owner, msLeft } : null;
  }

  async extend(digest: string, _owner: SessionOwner, ttlMs: number): Promise<void> {
    const entry = this.sessions.get(digest);
    const now = this.now();
    if (entry && entry.expiresAt > now) entry.expiresAt = now + ttlMs;
  }

  async removeOf(loginIds: readonly number[]): Promise<void> {
    for (const loginId of loginIds) {
      this.sessions.delete(this.digests.get(loginId) ?? '');
      this.digests.delete(loginId);
    }
  }

  async removeExpired(): Promise<void> {
    const now = this.now();
    const expired = [...this.sessions.values()].filter(({ expiresAt }) => expiresAt <= now);
    await this.removeOf(expired.map(({ loginId }) => loginId));
  }
}
