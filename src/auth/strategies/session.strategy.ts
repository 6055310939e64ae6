import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';

import { AuthScheme, CredentialStrategy, Principal, ROLE_PERMISSIONS } from '../../core/index.js';
import { INVALID_SESSION, singleCookie } from '../../core/auth.js';
import { SESSION_STORE_UNAVAILABLE } from '../auth.errors.js';
import { SESSION_COOKIE } from '../login/login-cookies.js';
import { Session } from '../sessions/session-store.js';
import { SessionVerifier } from '../sessions/session-verifier.js';

/** Verifies the cookie `session_id`. Sessions are looked up for each request. */
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
  constructor(private readonly sessions: SessionVerifier) {
    super(({ cookie }) => singleCookie(cookie, SESSION_COOKIE));
  }

  validate(sessionId: string): Promise<Principal | null> {
    return this.sessions.verify(sessionId).then(principalOf);
  }
}

function principalOf(session: Session | null): Principal | null {
  if (!session) return null;
  const { userId, loginId, role } = session;
  const permissions = ROLE_PERMISSIONS[role];
  return { kind: 'user', userId, keyId: null, loginId, role, permissions, scheme: 'session' };
}
