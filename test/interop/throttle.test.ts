import { Module, Type } from '@nestjs/common';
import { seconds, ThrottlerStorage, ThrottlerStorageService } from '@nestjs/throttler';
import { Answer } from '@plinth/dev/testing';
import { PlinthModule } from '@plinth/core';

import { ThrottlerDefinition } from '../../packages/core/src/http/rate-limit/rate-limit.module.js';
import { CounterThrottlerStorage } from '../../packages/core/src/http/rate-limit/throttler-storage.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import { VERSIONS } from '../../src/config/versions.js';
import { DOCS } from '../../src/docs/docs.js';
import { MIGRATIONS } from '../../src/migrations/migrations.js';
import { ProductsModule } from '../../src/products/products.module.js';
import { UsersModule } from '../../src/users/users.module.js';
import { fetched } from '../support/fetched.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { expectError } from '../support/raw-http.js';
import { BurstsModule, ThrottledModule } from './throttle.module.js';

const limits = ({ headers }: Answer): (string | null)[] =>
  ['ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => headers.get(name));
const left = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining') ?? NaN);

describe('@Throttle() and @SkipThrottle() of @nestjs/throttler', () => {
  let app: OwnApp;
  beforeAll(async () => {
    const settings = { RATE_LIMIT: '50', RATE_LIMIT_WINDOW: '60', TRUST_PROXY: 'loopback' };
    app = await startInProcess(settings, undefined, [ThrottledModule]);
  });
  afterAll(() => app.stop());

  /** The address that a test calls from. Nothing has been counted for it yet. */
  let tests = 0;
  let address: string;
  beforeEach(() => {
    address = `203.0.113.${++tests}`;
  });

  const tokenOf = async (on = app): Promise<Record<string, string>> => {
    const { email, password } = await on.user('viewer');
    const login = await on.anonymous.post('/api/v1/login', { email, password });
    return { authorization: `Bearer ${(login.body as { accessToken: string }).accessToken}` };
  };
  const get = (path: string, headers = {}, on = app): Promise<Answer> =>
    fetched(`${on.baseUrl}/api/${path}`, { headers: { 'x-forwarded-for': address, ...headers } });
  const times = async (n: number, send: () => Promise<Answer>): Promise<number[]> => {
    const statuses: number[] = [];
    for (let i = 0; i < n; i++) statuses.push((await send()).status);
    return statuses;
  };

  it('limit one route per caller, before its body is read', async () => {
    const headers = { ...(await tokenOf()), 'content-type': 'application/json' };
    const send = (body: string, version = 'v1'): Promise<Answer> =>
      fetched(`${app.baseUrl}/api/${version}/throttled/mails`, { method: 'POST', headers, body });
    const first = await send('{}');
    expect([first.status, ...limits(first)]).toEqual([202, '"default";q=2;w=60', '2', '1']);
    // The same route in another version shares the limit.
    expect([(await send('{}', 'v2')).status, (await send('not JSON')).status]).toEqual([202, 429]);
    const refused = await send('not JSON');
    expectError(refused, 429, 'RATE_LIMIT_EXCEEDED');
    expect(limits(refused)).toEqual(['"default";q=2;w=60', '2', '0']);
    expect(refused.headers.get('retry-after')).toMatch(/^(5\d|60)$/);
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('x-ratelimit-reset'));
    expect([...refused.headers.keys()].filter((name) => /limit|retry/.test(name))).toHaveLength(6);
    // Other routes and other callers keep their own limits.
    expect(limits(await get('v1/products', headers))).toEqual(['"default";q=50;w=60', '50', '49']);
    const other = { ...(await tokenOf()), 'content-type': 'application/json' };
    const ofOther = await fetched(`${app.baseUrl}/api/v1/throttled/mails`, {
      method: 'POST',
      headers: other,
    });
    expect(left(ofOther)).toBe(1);
  });

  it('apply from a class to each of its routes, unless a route declares its own', async () => {
    expect(limits(await get('v1/throttled-class/plain'))).toEqual(['"default";q=3;w=30', '3', '2']);
    expect(limits(await get('v1/throttled-class/own'))).toEqual(['"default";q=9;w=30', '9', '8']);
    const head = await fetched(`${app.baseUrl}/api/v1/throttled-class/plain`, {
      method: 'HEAD',
      headers: { 'x-forwarded-for': address },
    });
    expect(left(head)).toBe(1);
    expect(await times(3, () => get('v1/throttled-class/plain'))).toEqual([200, 429, 429]);
  });

  it.each(['v1/throttled-class/free', 'v1/skipping/free'])(
    'exempt %s, however often it is called',
    async (path) => {
      const before = left(await get('v1/nothing'));
      for (let i = 0; i < 60; i++) expect((await get(path)).status).toBe(200);
      expect(limits(await get(path))).toEqual(['"default";q=50;w=60', '50', '50']);
      expect(left(await get('v1/nothing'))).toBe(before - 1);
    },
  );

  it('count a route again that its class exempts', async () => {
    const before = left(await get('v1/nothing'));
    expect(left(await get('v1/skipping/counted'))).toBe(before - 1);
  });

  it('apply even with RATE_LIMIT=0', async () => {
    const off = await startInProcess({ RATE_LIMIT: '0' }, undefined, [ThrottledModule]);
    try {
      const headers = await tokenOf(off);
      const send = (path: string): Promise<Answer> => get(path, headers, off);
      expect(limits(await send('v1/products'))).toEqual([null, null, null]);
      expect(await times(4, () => send('v1/throttled-class/plain'))).toEqual([200, 200, 200, 429]);
    } finally {
      await off.stop();
    }
  });
});

/** An application with throttlers of its own. */
function applicationWith(throttler: ThrottlerDefinition): Type {
  @Module({
    imports: [
      PlinthModule.forRoot({ migrations: MIGRATIONS, docs: DOCS, versions: VERSIONS, throttler }),
      UsersModule,
      ProductsModule,
      AuthModule,
    ],
  })
  class ThrottledApplication {}
  return ThrottledApplication;
}

describe('the throttlers of an application', () => {
  const SETTINGS = { RATE_LIMIT: '50', RATE_LIMIT_WINDOW: '60', TRUST_PROXY: 'loopback' };
  const throttler = { throttlers: [{ name: 'burst', limit: 2, ttl: seconds(10) }] };
  let app: OwnApp;
  beforeAll(async () => {
    const application = applicationWith(throttler);
    app = await startInProcess(SETTINGS, undefined, [BurstsModule], application);
  });
  afterAll(() => app.stop());

  let callers = 0;
  const createCaller = (on = app): ((path: string, headers?: object) => Promise<Answer>) => {
    const address = `198.51.100.${++callers}`;
    return (path, headers) =>
      fetched(`${on.baseUrl}/api/v1/${path}`, { headers: { 'x-forwarded-for': address, ...headers } });
  };

  it('count each caller and route, in addition to the general limit', async () => {
    const get = createCaller();
    const first = await get('bursts/other');
    expect(first.status).toBe(404);
    expect(limits(await get('nothing'))).toEqual(['"default";q=50;w=60', '50', '48']);
    expect(limits(await get('bursts'))).toEqual(['"burst";q=2;w=10', '2', '1']);
    expect((await get('bursts')).status).toBe(200);
    const refused = await get('bursts');
    expectError(refused, 429, 'RATE_LIMIT_EXCEEDED');
    expect(limits(refused)).toEqual(['"burst";q=2;w=10', '2', '0']);
    expect(refused.headers.get('retry-after')).toMatch(/^(9|10)$/);
    expect((await createCaller()('bursts')).status).toBe(200);
  });

  it('are shown together with the general limit, the tightest in X-RateLimit', async () => {
    const get = createCaller();
    const { headers } = await get('bursts/own');
    expect(headers.get('ratelimit-policy')).toBe('"burst";q=1;w=300, "default";q=50;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"burst";r=0;t=\d+, "default";r=49;t=\d+$/);
    expect(headers.get('x-ratelimit-limit')).toBe('1');
    expect((await get('bursts/own')).status).toBe(429);
  });

  it('do not count a route that skips them', async () => {
    const get = createCaller();
    for (let i = 0; i < 5; i++) expect((await get('bursts/free')).status).toBe(200);
    expect(limits(await get('bursts/free'))).toEqual(['"default";q=50;w=60', '50', '44']);
  });

  it('block a caller for as long as blockDuration says', async () => {
    const get = createCaller();
    expect((await get('bursts/blocked')).status).toBe(200);
    const refused = await get('bursts/blocked');
    expectError(refused, 429, 'RATE_LIMIT_EXCEEDED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(590);
  });

  it('serve a guard that extends ThrottlerGuard, from the same counters', async () => {
    for (const tenant of ['a', 'b']) {
      const statuses: number[] = [];
      for (let i = 0; i < 3; i++)
        statuses.push((await createCaller()('bursts/tenant', { 'x-tenant': tenant })).status);
      expect(statuses).toEqual([200, 200, 429]);
    }
    const storage = app.app.nest.get<ThrottlerStorage>(ThrottlerStorage, { strict: false });
    expect(storage).toBeInstanceOf(CounterThrottlerStorage);
  });

  it('count in the storage of the application if it has one', async () => {
    const storage = new ThrottlerStorageService();
    const application = applicationWith({ storage });
    const own = await startInProcess(SETTINGS, undefined, [ThrottledModule], application);
    try {
      const get = createCaller(own);
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++) statuses.push((await get('throttled-class/plain')).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      expect([...storage.storage.keys()].join()).toContain('GET /throttled-class/plain');
    } finally {
      await own.stop();
    }
  });
});
