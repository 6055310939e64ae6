import '../../src/config/access.js';
import {
  CanActivate,
  Controller,
  ExecutionContext,
  Get,
  Injectable,
  Module,
  Post,
  Req,
  UseGuards,
} from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { ApiForbiddenResponse } from '@nestjs/swagger';
import { CredentialStrategy } from '@plinth/core';
import { singleCookie } from '@plinth/core/auth';
import { FastifyRequest } from 'fastify';
import { Strategy } from 'passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { INVALID_API_KEY } from '../../packages/core/src/access/access.errors.js';
import { permissionsOf } from '../../packages/core/src/config/define-access.js';
import { Principal } from '../../packages/core/src/access/principal.js';
import { Public, RequirePermission } from '../../packages/core/src/access/require-permission.decorator.js';
import { AuthScheme } from '../../packages/core/src/access/schemes/auth-schemes.js';
import { fetched } from '../support/fetched.js';
import { useInProcess } from '../support/own-app.js';
import { expectError } from '../support/raw-http.js';
import { headersOf, SchemeName } from '../support/schemes.js';

const PRODUCTS = '/api/v1/products';
const LAMP = { name: 'Lamp', price: 1, category: 'c' };
const MACHINE: Principal = {
  kind: 'user',
  userId: 1,
  keyId: null,
  loginId: null,
  role: 'editor',
  permissions: permissionsOf('editor'),
  scheme: 'machine',
};

/** A scheme with a header of its own, with a strategy class of Passport. */
@Injectable()
@AuthScheme({
  name: 'machine',
  header: 'X-Machine',
  order: 35,
  errors: [INVALID_API_KEY],
  challenge: () => `Machine realm="${PRODUCT.slug}"`,
  openapi: { type: 'apiKey', in: 'header', name: 'X-Machine' },
})
class MachineStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'machine') {
  constructor() {
    super({ header: 'X-Machine', prefix: '' }, false);
  }

  validate(name: string): Principal | null {
    return name === 'press' ? MACHINE : null;
  }
}

/** A scheme with a cookie of its own. */
@Injectable()
@AuthScheme({
  name: 'portal-cookie',
  cookie: 'portal',
  order: 50,
  errors: [INVALID_API_KEY],
  openapi: { type: 'apiKey', in: 'cookie', name: 'portal' },
})
class PortalStrategy extends PassportStrategy(CredentialStrategy, 'portal-cookie') {
  constructor() {
    super(({ cookie }) => singleCookie(cookie, 'portal'));
  }

  validate(value: string): Principal | null {
    return value === 'open' ? { ...MACHINE, scheme: 'portal-cookie' } : null;
  }
}

class MachineGuard extends AuthGuard('machine') {}

@Injectable()
class RolesGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ user: Principal }>().user.role === 'editor';
  }
}

@Controller({ path: 'guarded', version: '1' })
class GuardedController {
  @Get('machine')
  @UseGuards(MachineGuard)
  @RequirePermission('read')
  machine(@Req() request: FastifyRequest & { user: Principal }): object {
    return { scheme: request.user.scheme };
  }

  @Get('either')
  @UseGuards(AuthGuard(['api-key', 'basic']))
  @RequirePermission('read', { anonymous: true })
  either(@Req() request: FastifyRequest & { user: Principal }): object {
    return { scheme: request.user.scheme };
  }

  @Get('public')
  @UseGuards(AuthGuard('bearer'))
  @Public()
  public(@Req() request: FastifyRequest & { user: Principal }): object {
    return { scheme: request.user.scheme };
  }

  @Get('roles')
  @UseGuards(RolesGuard)
  @ApiForbiddenResponse()
  @RequirePermission('read')
  roles(): object {
    return {};
  }
}

/** A strategy of Passport that is not a scheme. */
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

@Module({
  controllers: [GuardedController, CouponController],
  providers: [MachineStrategy, PortalStrategy, CouponStrategy],
})
class GuardedModule {}

describe('the schemes of a module', () => {
  const app = useInProcess({ ANONYMOUS_ROLE: 'viewer' }, undefined, [GuardedModule]);
  let own: Record<SchemeName, Record<string, string>>;
  const machine = { 'x-machine': 'press' };
  const portal = { cookie: 'portal=open', 'sec-fetch-site': 'same-origin' };

  beforeAll(async () => {
    own = await headersOf(app, await app.user('editor'), ['create', 'read', 'update']);
  });

  const get = (path: string, headers = {}) => fetched(`${app.baseUrl}/api/v1/${path}`, { headers });
  const schemeOf = async (path: string, headers: object): Promise<unknown> =>
    ((await get(path, headers)).body as { scheme?: string }).scheme;

  it('work on every route', async () => {
    for (const headers of [machine, portal]) {
      expect((await app.anonymous.post(PRODUCTS, LAMP, headers)).status).toBe(201);
    }
    expectError(await get('products', { 'x-machine': 'other' }), 401, 'INVALID_API_KEY');
    expectError(await app.anonymous.post(PRODUCTS, '{', { 'x-machine': 'other' }), 401, 'INVALID_API_KEY');
  });

  it('keep their place in the order of schemes', async () => {
    // X-API-Key has precedence, the session cookie has not.
    expectError(await get('products', { ...machine, 'x-api-key': 'bad' }), 401, 'INVALID_API_KEY');
    expect((await get('products', { ...machine, cookie: 'session_id=bad' })).status).toBe(200);
    const both = { cookie: `${own.session['cookie'] ?? ''}; portal=bad` };
    expect((await get('products', both)).status).toBe(200);
  });

  it('are kept out of shared caches, and listed in Vary', async () => {
    const vary = 'Accept, Authorization, Cookie, X-API-Key, X-Machine';
    const anonymous = await get('products');
    expect(anonymous.headers.get('cache-control')).toMatch(/^public/);
    expect(anonymous.headers.get('vary')).toBe(vary);
    for (const headers of [machine, portal]) {
      const answer = await get('products', headers);
      expect(answer.headers.get('cache-control')).toMatch(/^private/);
      expect(answer.headers.get('vary')).toBe(vary);
    }
  });

  it('are listed in the challenges of a 401', async () => {
    const answer = await get('users/me');
    expect(answer.headers.get('www-authenticate')).toBe(
      ['Bearer', 'Basic', 'Machine']
        .map((scheme) => `${scheme} realm="${PRODUCT.slug}"${scheme === 'Basic' ? ', charset="UTF-8"' : ''}`)
        .join(', '),
    );
  });

  it('accept writes with a cookie only from pages of the same origin', async () => {
    const answer = await app.anonymous.post(PRODUCTS, LAMP, { cookie: 'portal=open' });
    expectError(answer, 403, 'CROSS_ORIGIN_REJECTED');
  });

  describe('with AuthGuard of @nestjs/passport', () => {
    it('may restrict a route to one scheme', async () => {
      expect(await schemeOf('guarded/machine', machine)).toBe('machine');
      expectError(await get('guarded/machine', {}), 401, 'AUTHENTICATION_REQUIRED');
      for (const scheme of ['bearer', 'basic', 'api-key', 'session'] as const)
        expectError(await get('guarded/machine', own[scheme]), 401, 'UNAUTHORIZED');
      // Further credentials in the same request do not matter.
      expect(await schemeOf('guarded/machine', { ...machine, ...own.bearer })).toBe('machine');
    });

    it('may restrict a route to several schemes', async () => {
      expect(await schemeOf('guarded/either', own['api-key'])).toBe('api-key');
      expect(await schemeOf('guarded/either', own.basic)).toBe('basic');
      expectError(await get('guarded/either', own.bearer), 401, 'UNAUTHORIZED');
    });

    it('close a route to callers without credentials, whatever ANONYMOUS_ROLE and @Public() say', async () => {
      for (const path of ['guarded/either', 'guarded/public'])
        expectError(await get(path), 401, 'UNAUTHORIZED');
      expect(await schemeOf('guarded/public', own.bearer)).toBe('bearer');
    });

    it('may include a strategy that is not a scheme, after the body has been read', async () => {
      const redeem = (coupon: string) =>
        fetched(`${app.baseUrl}/api/v1/coupons`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ coupon }),
        });
      expect((await redeem('good')).body).toEqual({ coupon: 'good' });
      expectError(await redeem('bad'), 401, 'UNAUTHORIZED');
    });

    it('may be combined with guards that read the user of the request', async () => {
      expect((await get('guarded/roles', own.basic)).status).toBe(200);
      expect((await get('guarded/roles', own.session)).status).toBe(200);
      const viewer = await headersOf(app, await app.user('viewer'), ['read']);
      expectError(await get('guarded/roles', viewer.basic), 403, 'FORBIDDEN');
    });
  });
});
