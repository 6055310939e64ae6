import { Injectable } from '@nestjs/common';
import { FastifyRequest } from 'fastify';
import passport from 'passport';

import { ROLE_PERMISSIONS } from '../../access/permissions.js';
import { Principal } from '../../access/principal.js';
import { cookieValues } from '../../http/cookies.js';
import { SESSION_COOKIE } from '../login/login-cookies.js';
import { SessionVerifier } from '../sessions/session-verifier.js';
import { Session } from '../sessions/session-store.js';

/** Verifies the cookie `session_id`, which must be present exactly once. Sessions are looked up for each request. */
@Injectable()
export class SessionStrategy extends passport.Strategy {
  override readonly name = 'session-cookie';

  constructor(private readonly sessions: SessionVerifier) {
    super();
  }

  override authenticate(request: unknown): void {
    const [sessionId, ...others] = cookieValues((request as FastifyRequest).headers.cookie, SESSION_COOKIE);
    if (sessionId === undefined || others.length > 0) {
      this.fail(400);
      return;
    }
    this.sessions.verify(sessionId).then(
      (session) => {
        if (session) this.success(principalOf(session));
        else this.fail(401);
      },
      (error: unknown) => {
        this.error(error);
      },
    );
  }
}

function principalOf({ userId, loginId, role }: Session): Principal {
  return {
    kind: 'user',
    userId,
    keyId: null,
    loginId,
    role,
    permissions: ROLE_PERMISSIONS[role],
    scheme: 'session',
  };
}
