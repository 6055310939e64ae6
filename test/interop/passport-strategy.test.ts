import { Controller, Injectable, Module, Post, Req, UseGuards } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport';

import { Public } from '../../src/core/access/require-permission.decorator.js';
import { startInProcess } from '../support/own-app.js';

describe('a strategy of Passport that is no scheme', () => {
  @Injectable()
  class CouponStrategy extends PassportStrategy(
    class extends Strategy {
      constructor(
        private readonly verify: (coupon: unknown, done: (error: unknown, user?: object) => void) => void,
      ) {
        super();
      }

      override authenticate(request: { body?: unknown }): void {
        this.verify((request.body as { coupon?: string } | undefined)?.coupon, (error, user) => {
          if (error || !user) this.fail(401);
          else this.success(user);
        });
      }
    },
    'coupon',
  ) {
    validate(coupon: unknown): object | null {
      return coupon === 'good' ? { coupon } : null;
    }
  }

  @Controller({ path: 'coupons', version: '1' })
  class CouponController {
    @Post()
    @Public()
    @UseGuards(AuthGuard('coupon'))
    redeem(@Req() { user }: { user: object }): object {
      return user;
    }
  }

  @Module({ controllers: [CouponController], providers: [CouponStrategy] })
  class CouponModule {}

  it('guards its route as usual, after the body has been read', async () => {
    const app = await startInProcess({}, undefined, [CouponModule]);
    try {
      const redeem = (coupon: string) =>
        fetch(`${app.baseUrl}/api/v1/coupons`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ coupon }),
        });
      expect(await (await redeem('good')).json()).toEqual({ coupon: 'good' });
      expect((await redeem('bad')).ok).toBe(false);
    } finally {
      await app.stop();
    }
  });
});
