import { Controller, Get, Injectable, Module, Post, Req, UseGuards } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { FastifyRequest } from 'fastify';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';

import { PRODUCT } from '../../src/config/product.js';
import { INVALID_API_KEY } from '../../src/access/authentication.errors.js';
import { ROLE_PERMISSIONS } from '../../src/access/permissions.js';
import { Principal } from '../../src/access/principal.js';
import { RequirePermission } from '../../src/access/require-permission.decorator.js';
import { AuthScheme } from '../../src/access/schemes/auth-scheme.decorator.js';
import { CredentialStrategy, singleCookie } from '../../src/access/schemes/credential.strategy.js';
import { fetched } from '../support/fetched.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
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
  permissions: ROLE_PERMISSIONS.editor,
  scheme: 'machine',
};

/** A scheme with a header of its own, by a class of Passport's. */
@Injectable()
@AuthScheme({
  name: 'machine',
  header: 'X-Machine',
  order: 35,
  errors: [INVALID_API_KEY],
  challenge: () => `Machine realm="${PRODUCT.realm}"`,
  openapi: { type: 'apiKey', in: 'header', name: 'X-Machine' },
})
class MachineStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'machine') {
  static verified = 0;

  constructor() {
    super({ header: 'X-Machine', prefix: '' }, false);
  }

  validate(name: string): Principal | null {
    MachineStrategy.verified++;
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

  @Get('any')
  @RequirePermission('read', { anonymous: true })
  any(): object {
    return {};
  }
}

@Controller({ path: 'guarded-class', version: '1' })
@UseGuards(AuthGuard('session'))
class GuardedClassController {
  @Post()
  @RequirePermission('create')
  create(): object {
    return {};
  }
}

@Controller({ path: 'base', version: '1' })
class BaseController {
  @Get('one')
  @UseGuards(AuthGuard(['basic', 'api-key']))
  @RequirePermission('read')
  one(): object {
    return {};
  }

  @Get('all')
  @RequirePermission('read')
  all(): object {
    return {};
  }
}

@Controller({ path: 'inherited', version: '1' })
@UseGuards(AuthGuard('basic'))
class InheritingController extends BaseController {}

@Module({
  controllers: [GuardedController, GuardedClassController, BaseController, InheritingController],
  providers: [MachineStrategy, PortalStrategy],
})
class GuardedModule {}

describe('schemes of a module', () => {
  let app: OwnApp;
  let own: Record<SchemeName, Record<string, string>>;
  const machine = { 'x-machine': 'press' };
  const portal = { cookie: 'portal=open', 'sec-fetch-site': 'same-origin' };

  beforeAll(async () => {
    app = await startInProcess({ ANONYMOUS_ROLE: 'viewer' }, undefined, [GuardedModule]);
    own = await headersOf(app, await app.user('editor'), ['create', 'read', 'update']);
  });
  afterAll(() => app.stop());

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

  it('take their place in the order', async () => {
    // X-API-Key goes before, the session cookie after it.
    expectError(await get('products', { ...machine, 'x-api-key': 'bad' }), 401, 'INVALID_API_KEY');
    expect((await get('products', { ...machine, cookie: 'session_id=bad' })).status).toBe(200);
    const both = { cookie: `${own.session['cookie'] ?? ''}; portal=bad` };
    expect((await get('products', both)).status).toBe(200);
  });

  it('are kept from shared caches, and known to Vary', async () => {
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

  it('are among the challenges of a 401', async () => {
    const answer = await get('users/me');
    expect(answer.headers.get('www-authenticate')).toBe(
      ['Bearer', 'Basic', 'Machine']
        .map((scheme) => `${scheme} realm="${PRODUCT.realm}"${scheme === 'Basic' ? ', charset="UTF-8"' : ''}`)
        .join(', '),
    );
  });

  it('write by cookie for pages of this origin only', async () => {
    const answer = await app.anonymous.post(PRODUCTS, LAMP, { cookie: 'portal=open' });
    expectError(answer, 403, 'CROSS_ORIGIN_REJECTED');
  });

  describe('and AuthGuard of @nestjs/passport', () => {
    it('restrict a route to a scheme, which is verified once', async () => {
      const { verified } = MachineStrategy;
      expect(await schemeOf('guarded/machine', machine)).toBe('machine');
      expect(MachineStrategy.verified).toBe(verified + 1);
      for (const headers of [own.bearer, own.basic, own['api-key'], own.session, {}]) {
        const answer = await get('guarded/machine', headers);
        expectError(answer, 401, 'AUTHENTICATION_REQUIRED');
        expect(answer.headers.get('www-authenticate')).toBe(`Machine realm="${PRODUCT.realm}"`);
      }
      // Credentials of others beside it do not matter.
      expect(await schemeOf('guarded/machine', { ...machine, ...own.bearer })).toBe('machine');
    });

    it('restrict it to several', async () => {
      expect(await schemeOf('guarded/either', own['api-key'])).toBe('api-key');
      expect(await schemeOf('guarded/either', own.basic)).toBe('basic');
      expectError(await get('guarded/either', own.bearer), 401, 'AUTHENTICATION_REQUIRED');
    });

    it('close it to callers without credentials, whatever ANONYMOUS_ROLE says', async () => {
      expect((await get('guarded/any')).status).toBe(200);
      expectError(await get('guarded/either'), 401, 'AUTHENTICATION_REQUIRED');
    });

    it('restrict all routes of a class, before a body is read', async () => {
      const send = (headers: object) => app.anonymous.post('/api/v1/guarded-class', '{', { ...headers });
      expectError(await send(own.bearer), 401, 'AUTHENTICATION_REQUIRED');
      expectError(await send({ cookie: own.session['cookie'] }), 403, 'CROSS_ORIGIN_REJECTED');
      expectError(await send(own.session), 400, 'INVALID_JSON');
    });

    it('restrict inherited routes without touching those that they are inherited from', async () => {
      const status = async (path: string, scheme: SchemeName) => (await get(path, own[scheme])).status;
      expect([await status('inherited/all', 'basic'), await status('inherited/all', 'bearer')]).toEqual([
        200, 401,
      ]);
      expect([await status('base/all', 'basic'), await status('base/all', 'bearer')]).toEqual([200, 200]);
      expect([await status('inherited/one', 'basic'), await status('inherited/one', 'api-key')]).toEqual([
        200, 401,
      ]);
      expect([await status('base/one', 'basic'), await status('base/one', 'api-key')]).toEqual([200, 200]);
    });

    it('are in the document', async () => {
      const { paths } = (await app.anonymous.get('/docs/openapi.json')).body as {
        paths: Record<string, { get: { security: object[] } }>;
      };
      expect(paths['/api/v1/guarded/machine']?.get.security).toEqual([{ machine: [] }]);
      expect(paths['/api/v1/guarded/either']?.get.security).toEqual([{ basic: [] }, { apiKey: [] }]);
    });
  });
});
