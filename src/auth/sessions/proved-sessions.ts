import { Injectable } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { digestOf } from '../secrets.js';
import { LoginsRepository } from './logins.repository.js';
import { Session, SessionStore } from './session-store.js';

/** A session in use is extended when this share of its life has passed, or this time, whichever is sooner. */
const SHARE = 0.1;
const LONGEST_MS = 5 * 60_000;

/** Looks sessions up, and keeps those in use from expiring without a write for each request. */
@Injectable()
export class ProvedSessions {
  private readonly ttlMs: number;
  private readonly extendAfterMs: number;
  private readonly extending = new Set<string>();

  constructor(
    private readonly store: SessionStore,
    private readonly logins: LoginsRepository,
    { session }: Config,
  ) {
    this.ttlMs = session.ttlSeconds * 1000;
    this.extendAfterMs = Math.min(this.ttlMs * SHARE, LONGEST_MS);
  }

  /** The session of an id, or `null`. */
  async find(sessionId: string): Promise<Session | null> {
    const digest = digestOf(sessionId);
    const session = digest && (await this.store.find(digest));
    if (!session) return null;
    if (this.ttlMs - session.msLeft >= this.extendAfterMs) void this.extend(digest, session);
    return session;
  }

  /** Does not keep the request waiting; where it fails, the next request tries again. */
  private async extend(digest: string, session: Session): Promise<void> {
    if (this.extending.has(digest)) return;
    this.extending.add(digest);
    try {
      await this.store.extend(digest, session, this.ttlMs);
      await this.logins.seen(session.loginId, this.ttlMs);
    } catch {
      // The session was good for this request, and still has most of its life before it.
    } finally {
      this.extending.delete(digest);
    }
  }
}
