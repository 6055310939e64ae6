import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { Config } from '../../core/index.js';
import { digestOf } from '../secrets.js';
import { LoginsRepository } from './logins.repository.js';
import { Session, SessionStore } from './session-store.js';

/** A session in use is extended after this share of its lifetime, or this time, whichever is shorter. */
const SHARE = 0.1;
const LONGEST_MS = 5 * 60_000;

/** Verifies session ids, and extends sessions in use without a write for each request. */
@Injectable()
export class SessionVerifier {
  private readonly ttlMs: number;
  private readonly extendAfterMs: number;
  private readonly extending = new Set<string>();

  constructor(
    private readonly store: SessionStore,
    private readonly logins: LoginsRepository,
    config: ConfigService<Config, true>,
  ) {
    this.ttlMs = config.get('session.ttlSeconds', { infer: true }) * 1000;
    this.extendAfterMs = Math.min(this.ttlMs * SHARE, LONGEST_MS);
  }

  /** The session of an id; `null` if there is none. */
  verify(sessionId: string): Promise<Session | null> {
    const digest = digestOf(sessionId);
    if (digest === null) return Promise.resolve(null);
    return this.store.find(digest).then((session) => {
      if (session && this.ttlMs - session.msLeft >= this.extendAfterMs) void this.extend(digest, session);
      return session;
    });
  }

  /** Runs beside the request; if it fails, the next request tries again. */
  private async extend(digest: string, session: Session): Promise<void> {
    if (this.extending.has(digest)) return;
    this.extending.add(digest);
    try {
      await this.store.extend(digest, session, this.ttlMs);
      await this.logins.seen(session.loginId, this.ttlMs);
    } catch {
      // The session is valid, and most of its lifetime remains.
    } finally {
      this.extending.delete(digest);
    }
  }
}
