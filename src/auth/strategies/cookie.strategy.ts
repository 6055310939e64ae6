import { FastifyRequest } from 'fastify';
import passport from 'passport';

import { cookieValues } from '../../http/cookies.js';

type Done = (error: unknown, user?: object | null) => void;

/** A Passport strategy that takes the value of a cookie, which must be present exactly once. */
export class CookieStrategy extends passport.Strategy {
  override readonly name: string = 'cookie';

  constructor(
    private readonly options: { readonly cookie: string },
    private readonly verify: (value: string, done: Done) => void,
  ) {
    super();
  }

  override authenticate(request: unknown): void {
    const { cookie } = (request as FastifyRequest).headers;
    const [value, ...others] = cookieValues(cookie, this.options.cookie);
    if (value === undefined || others.length > 0) {
      this.fail(400);
      return;
    }
    this.verify(value, (error, user) => {
      if (error) this.error(error);
      else if (user) this.success(user);
      else this.fail(401);
    });
  }
}
