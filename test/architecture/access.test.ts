import 'reflect-metadata';

import { Controller, Get, Logger, Module, VERSION_NEUTRAL } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FastifyInstance, RouteOptions } from 'fastify';
import { pino } from 'pino';

import { setDefaultAccess, registerAccess } from '../../packages/core/src/access/access.hook.js';
import { registerRequestContext } from '../../packages/core/src/access/request-context.js';
import { NO_GRANTS } from '../../packages/core/src/access/grants.js';
import { ApiExceptionFilter } from '../../packages/core/src/http/errors/api-exception.filter.js';
import { RequestLog } from '../../packages/core/src/http/logging/request-log.js';
import { ApplicationAdapter } from '../../packages/core/src/app/application.adapter.js';
import { RoutePolicy } from '../../packages/core/src/routes/route-policy.js';
import { registerPolicies } from '../../packages/core/src/routes/policy.hook.js';
import { useInProcess } from '../support/own-app.js';

/** Routes that the base opens to everybody. Those of the application are in test/application/laws.test.ts. */
const OPEN = [
  'GET /.well-known/jwks.json',
  'GET /docs',
  'GET /docs/',
  'GET /docs/*',
  'GET /docs/LICENSE',
  'GET /docs/docs/swagger-ui-init.js',
  'GET /docs/index.html',
  'GET /docs/openapi.json',
  'GET /docs/openapi.yaml',
  'GET /docs/swagger-ui-bundle.js',
  'GET /docs/swagger-ui-init.js',
  'GET /docs/swagger-ui-standalone-preset.js',
  'GET /docs/swagger-ui.css',
  'GET /docs/v1/openapi.json',
  'GET /docs/v2/openapi.json',
  'GET /health/live',
  'GET /health/ready',
  'GET /reference',
  'GET /reference/',
  'GET /reference/js/scalar.js',
  'GET /reference/js/standalone.js',
  'GET /reference/v1.json',
  'GET /reference/v2.json',
];

describe('every route', () => {
  const app = useInProcess({ DOCS: 'true' });
  let policies: ReadonlyMap<string, RoutePolicy>;

  beforeAll(async () => {
    policies = app.app.nest.getHttpAdapter().getInstance().policies;
  });

  /** Leaves out HEAD, which has the same policy as GET. */
  const routesWhere = (isListed: (policy: RoutePolicy) => boolean): string[] =>
    [...policies]
      .filter(([route, policy]) => !route.startsWith('HEAD ') && isListed(policy))
      .map(([route]) => route)
      .sort();

  it('of an API version declares its response, so that Accept can be negotiated', () => {
    const versioned = [...policies].filter(([, { apiVersion }]) => apiVersion !== undefined);
    expect(versioned.length).toBeGreaterThan(40);
    const silent = versioned.filter(([, { success, produces }]) => !success && !produces);
    expect(silent.map(([route]) => route)).toEqual([]);
  });

  it('of the base is public only if this test lists it', () => {
    const open = routesWhere(({ access }) => access?.isPublic === true);
    expect(open.filter((route) => !route.startsWith('POST '))).toEqual(OPEN);
  });

  it('requires the same access for HEAD as for GET', () => {
    for (const [route, { access }] of policies) {
      if (route.startsWith('HEAD '))
        expect(access).toEqual(policies.get(route.replace('HEAD', 'GET'))?.access);
    }
  });
});

@Controller({ path: 'throwaway', version: VERSION_NEUTRAL })
class ThrowawayController {
  @Get('forgotten')
  forgotten(): object {
    return { secret: 'shown' };
  }
}

@Module({ controllers: [ThrowawayController] })
class ThrowawayModule {}

describe('a route that declares no access', () => {
  let nest: NestFastifyApplication;
  let server: FastifyInstance;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    const adapter = new ApplicationAdapter();
    nest = await NestFactory.create<NestFastifyApplication>(ThrowawayModule, adapter);
    server = adapter.getInstance<FastifyInstance>();
    const writer = new ApiExceptionFilter(() => undefined, new RequestLog(pino({ level: 'silent' })));
    server.setErrorHandler((error, request, reply) => {
      writer.write(error, request, reply);
    });
    registerPolicies(server, {});
    registerRequestContext(server);
    registerAccess(server, () => Promise.resolve(NO_GRANTS), { registration: 'open' });
    // A route that is registered with Fastify directly, without Nest and its decorators.
    server.get('/by-hand', () => ({ secret: 'shown' }));
    await nest.init();
    await server.ready();
  });
  afterAll(() => nest.close());

  it.each(['/throwaway/forgotten', '/by-hand'])('needs the permission of its method: %s', async (url) => {
    const { statusCode, body } = await server.inject(url);
    // No hook authenticates here, so the access check fails.
    expect(statusCode).toBe(500);
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'INTERNAL_ERROR', status: 500 } });
    expect(body).not.toContain('shown');
    expect(server.policies.get(`GET ${url}`)).toMatchObject({
      access: { isPublic: false, permission: 'read' },
    });
  });

  it('is refused at start if its methods imply different permissions', () => {
    const route = (...method: string[]) => ({ method, url: '/any', config: { policy: {} } }) as RouteOptions;
    expect(() => setDefaultAccess(route('GET', 'POST'))).toThrow(
      'the methods of /any need different permissions',
    );
    expect(() => setDefaultAccess(route('PUT', 'PATCH'))).not.toThrow();
  });
});
