import { Injectable } from '@nestjs/common';
import { FastifyRequest } from 'fastify';
import passport from 'passport';

import { ROLE_PERMISSIONS } from '../../access/permissions.js';
import { Principal } from '../../access/principal.js';
import { cookieValues } from '../../http/cookies.js';
import { SESSION_COOKIE } from '../login/login-cookies.js';
import { ProvedSessions } from '../sessions/proved-sessions.js';
import { Session } from '../sessions/session-store.js';

/** Proves the session of the cookie `session_id`: it must be there once. Sessions are looked up each time. */
@Injectable()
export class SessionStrategy extends passport.Strategy {
  override readonly name = 'session-cookie';

  constructor(private readonly sessions: ProvedSessions) {
    super();
  }

  override authenticate(request: unknown): void {
    const [sessionId, ...others] = cookieValues((request as FastifyRequest).headers.cookie, SESSION_COOKIE);
    if (sessionId === undefined || others.length > 0) {
      this.fail(400);
      return;
    }
    this.sessions.find(sessionId).then(
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
