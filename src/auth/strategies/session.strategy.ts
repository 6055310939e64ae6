import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { PassportStrategy } from '@nestjs/passport';

import { AuthScheme, Config, CredentialStrategy, Principal, ROLE_PERMISSIONS } from '../../core/index.js';
import { INVALID_SESSION, singleCookie } from '../../core/auth.js';
import { SESSION_STORE_UNAVAILABLE } from '../auth.errors.js';
import { digestOf, SESSION_COOKIE } from '../secrets.js';
import { LoginsRepository } from '../sessions/logins.repository.js';
import { SessionStore } from '../sessions/session-stores.js';

/** A session in use is extended after this share of its lifetime, or this time, whichever is shorter. */
const SHARE = 0.1;
const LONGEST_MS = 5 * 60_000;

/** Verifies the cookie `session_id`. Sessions are looked up for each request, and extended while they are in use. */
@Injectable()
@AuthScheme({
  name: 'session',
  cookie: SESSION_COOKIE,
  order: 40,
  errors: [INVALID_SESSION, SESSION_STORE_UNAVAILABLE],
  openapi: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      'Set by `POST /login`; browsers send it by themselves, and pages cannot read it: to use it here, log in here.',
  },
})
export class SessionStrategy extends PassportStrategy(CredentialStrategy, 'session') {
  private readonly ttlMs: number;
  private readonly extending = new Set<string>();

  constructor(
    private readonly sessions: SessionStore,
    private readonly logins: LoginsRepository,
    config: ConfigService<Config, true>,
  ) {
    super(({ cookie }) => singleCookie(cookie, SESSION_COOKIE));
    this.ttlMs = config.get('session.ttlSeconds', { infer: true }) * 1000;
  }

  async validate(sessionId: string): Promise<Principal | null> {
    const digest = digestOf(sessionId);
    const session = digest === null ? undefined : await this.sessions.find(digest);
    const login = session && (session.login ?? (await this.logins.findCurrent(session.loginId)));
    if (!digest || !login) return null;
    const { loginId, msLeft } = session;
    if (this.ttlMs - msLeft >= Math.min(this.ttlMs * SHARE, LONGEST_MS)) void this.extend(digest, loginId);
    const { userId, role } = login;
    const permissions = ROLE_PERMISSIONS[role];
    return { kind: 'user', userId, keyId: null, loginId, role, permissions, scheme: 'session' };
  }

  /** Runs beside the request; if it fails, the next request tries again. */
  private async extend(digest: string, loginId: number): Promise<void> {
    if (this.extending.has(digest)) return;
    this.extending.add(digest);
    try {
      await this.sessions.put(digest, loginId, this.ttlMs);
      await this.logins.seen(loginId, this.ttlMs);
    } catch {
      // The session is valid, and most of its lifetime remains.
    } finally {
      this.extending.delete(digest);
    }
  }
}
