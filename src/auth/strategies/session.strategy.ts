import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { AuthScheme, CredentialStrategy, Principal } from '@plinth/core';
import {
  INVALID_SESSION,
  LoginsService,
  SESSION_COOKIE,
  SESSION_STORE_UNAVAILABLE,
  singleCookie,
} from '@plinth/core/auth';

/** Verifies the cookie `session_id`. The session is looked up for each request, and extended while it is in use. */
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
      'A cookie that `POST /login` sets. Browsers send it automatically, and pages cannot read it. To use it on this page, log in with `POST /login` here.',
  },
})
export class SessionStrategy extends PassportStrategy(CredentialStrategy, 'session') {
  constructor(private readonly logins: LoginsService) {
    super(({ cookie }) => singleCookie(cookie, SESSION_COOKIE));
  }

  validate(sessionId: string): Promise<Principal | null> {
    return this.logins.authenticate(sessionId);
  }
}
