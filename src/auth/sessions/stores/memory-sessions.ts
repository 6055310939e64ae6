import { FoundSession, Session, SessionStore } from '../session-store.js';

interface Kept extends Session {
  expiresAt: number;
}

/** Sessions in this process: gone when it ends, and unknown to every other. */
export class MemorySessions extends SessionStore {
  private readonly sessions = new Map<string, Kept>();

  constructor(private readonly now: () => number = () => performance.now()) {
    super();
  }

  async add(digest: string, session: Session, ttlMs: number): Promise<void> {
    this.sessions.set(digest, { ...session, expiresAt: this.now() + ttlMs });
  }

  async find(digest: string): Promise<FoundSession | null> {
    const kept = this.sessions.get(digest);
    if (!kept) return null;
    const { expiresAt, ...session } = kept;
    const msLeft = expiresAt - this.now();
    return msLeft > 0 ? { ...session, msLeft } : null;
  }

  async extend(digest: string, _session: Session, ttlMs: number): Promise<void> {
    const kept = this.sessions.get(digest);
    const now = this.now();
    if (kept && kept.expiresAt > now) kept.expiresAt = now + ttlMs;
  }

  async remove({ loginId }: Pick<Session, 'loginId' | 'userId'>): Promise<void> {
    this.removeWhere((session) => session.loginId === loginId);
  }

  async removeOfUser(userId: number, exceptLoginId: number | null): Promise<void> {
    this.removeWhere((session) => session.userId === userId && session.loginId !== exceptLoginId);
  }

  async removeExpired(): Promise<void> {
    const now = this.now();
    this.removeWhere(({ expiresAt }) => expiresAt <= now);
  }

  private removeWhere(isOver: (session: Kept) => boolean): void {
    for (const [digest, session] of this.sessions) if (isOver(session)) this.sessions.delete(digest);
  }
}
