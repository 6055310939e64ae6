import { setTimeout as sleep } from 'node:timers/promises';

import { Answer, Client } from '@plinth/dev/testing';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { startApp, TestApp } from '../support/app.js';
import { exchange, expectError, wire } from '../support/raw-http.js';

const PRODUCTS = '/api/v1/products';

let app: TestApp | undefined;
const start = async (settings: Record<string, string>): Promise<TestApp> => (app = await startApp(settings));
afterEach(async () => {
  await app?.stop();
  app = undefined;
});

const limits = ({ headers }: Answer): Record<string, string | null> =>
  Object.fromEntries(
    [
      'ratelimit-policy',
      'ratelimit',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'retry-after',
    ].map((name) => [name, headers.get(name)]),
  );
const left = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining') ?? NaN);

describe('the limit on requests', () => {
  it('is sent with every response: success, 304, 4xx, HEAD', async () => {
    const { anonymous, ...on } = await start({ RATE_LIMIT: '50', RATE_LIMIT_WINDOW: '30' });
    const viewer = await on.as('viewer');
    const first = await viewer.get(PRODUCTS);
    const answers = [
      first,
      await viewer.get(PRODUCTS, { 'if-none-match': first.headers.get('etag') ?? '' }),
      await viewer.head(PRODUCTS),
      await viewer.get(`${PRODUCTS}/99999999`),
      await viewer.get(`${PRODUCTS}?limit=abc`),
      await viewer.get(PRODUCTS, { accept: 'text/html' }),
      await viewer.delete(`${PRODUCTS}/1`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 200, 404, 400, 406, 403]);
    const anonymously = [
      await anonymous.get(PRODUCTS),
      await anonymous.get('/api/v1/nothing'),
      await anonymous.get('/health/live'),
      await anonymous.get('/docs/nothing'),
    ];
    expect(anonymously.map(({ status }) => status)).toEqual([401, 404, 200, 404]);
    for (const answer of [...answers, ...anonymously]) {
      const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset, ...others } = limits(answer);
      expect(others).toEqual({
        'ratelimit-policy': '"default";q=50;w=30',
        ratelimit: `"default";r=${remaining};t=${reset}`,
        'x-ratelimit-limit': '50',
        'retry-after': null,
      });
      expect(Number(reset)).toBeGreaterThan(20);
      expect(Number(reset)).toBeLessThanOrEqual(30);
    }
  });

  it('is shared by a user and all of their API keys, but not by two users', async () => {
    const on = await start({ RATE_LIMIT: '20', RATE_LIMIT_WINDOW: '60' });
    const [viewer, other] = [await on.as('viewer'), await on.as('viewer')];
    const keys: string[] = [];
    for (let i = 0; i < 3; i++) {
      const created = await viewer.post('/api/v1/api-keys', { name: `key ${i}` });
      keys.push((created.body as { key: string }).key);
    }
    const counts: number[] = [];
    for (const key of keys) counts.push(left(await on.anonymous.get(PRODUCTS, { 'x-api-key': key })));
    counts.push(left(await viewer.get(PRODUCTS)));
    expect(counts).toEqual([16, 15, 14, 13]);
    expect(left(await other.get(PRODUCTS))).toBe(19);
    const rest = [...keys, ...keys, ...keys, ...keys, ...keys].map((key) =>
      on.anonymous.get(PRODUCTS, { 'x-api-key': key }),
    );
    const statuses = (await Promise.all(rest)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  it('allows as many requests as it says, then answers 429 with the time to wait', async () => {
    const viewer = await (await start({ RATE_LIMIT: '5', RATE_LIMIT_WINDOW: '60' })).as('viewer');
    const counts: number[] = [];
    for (let i = 0; i < 5; i++) counts.push(left(await viewer.get(PRODUCTS)));
    expect(counts).toEqual([4, 3, 2, 1, 0]);
    const refused = await viewer.get(PRODUCTS);
    expectError(refused, 429, 'RATE_LIMIT_EXCEEDED');
    const seconds = refused.headers.get('retry-after');
    expect(seconds).toMatch(/^(5\d|60)$/);
    expect(limits(refused)).toEqual({
      'ratelimit-policy': '"default";q=5;w=60',
      ratelimit: `"default";r=0;t=${seconds}`,
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': seconds,
      'retry-after': seconds,
    });
    expect([...refused.headers.keys()].filter((name) => name.startsWith('retry-after'))).toEqual([
      'retry-after',
    ]);
  });

  it('allows requests again after that time', async () => {
    const viewer = await (await start({ RATE_LIMIT: '2', RATE_LIMIT_WINDOW: '2' })).as('viewer');
    let answer = await viewer.get(PRODUCTS);
    // A window may end meanwhile on a busy machine.
    for (let i = 0; i < 50 && answer.status === 200; i++) answer = await viewer.get(PRODUCTS);
    expect(answer.status).toBe(429);
    // Further attempts do not extend the time.
    await sleep(Number(answer.headers.get('retry-after')) * 1000);
    expect((await viewer.get(PRODUCTS)).status).toBe(200);
  });

  it('is counted over all routes, methods and versions together', async () => {
    const admin = await (await start({ RATE_LIMIT: '20' })).as('admin');
    const counts = [
      await admin.get(PRODUCTS),
      await admin.head(PRODUCTS),
      await admin.post(PRODUCTS, { name: 'Lamp', price: 1, category: 'c' }),
      await admin.get('/api/v2/products'),
      await admin.get('/api/products', { accept: `application/vnd.${PRODUCT.slug}.v2+json` }),
      await admin.delete(`${PRODUCTS}/99999999`),
      await admin.post(PRODUCTS, '{'),
    ].map(left);
    expect(counts).toEqual([19, 18, 17, 16, 15, 14, 13]);
  });

  it('is exact under concurrency', async () => {
    const viewer = await (await start({ RATE_LIMIT: '20' })).as('viewer');
    const answers = await Promise.all(Array.from({ length: 50 }, () => viewer.get(PRODUCTS)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it('is counted per user, whatever token and address are used', async () => {
    const on = await start({ RATE_LIMIT: '6' });
    const { email, password } = await on.user('viewer');
    const clientOf = async (): Promise<Client> => {
      const { accessToken } = (await on.anonymous.post('/api/v1/login', { email, password })).body as {
        accessToken: string;
      };
      return on.anonymous.with({ authorization: `Bearer ${accessToken}` });
    };
    const [one, same, other] = [await clientOf(), await clientOf(), await on.as('viewer')];
    expect(left(await one.get(PRODUCTS))).toBe(5);
    expect(left(await same.get(PRODUCTS))).toBe(4);
    expect(left(await other.get(PRODUCTS))).toBe(5);
    // Three logins and this request have been counted.
    expect(left(await on.anonymous.get(PRODUCTS))).toBe(2);
  });

  it('is counted per address if the caller is unknown, over all accounts that the address tries', async () => {
    const on = await start({ RATE_LIMIT: '5' });
    const tries: number[] = [];
    for (let i = 0; i < 6; i++) {
      const body = { email: `nobody-${i}@example.com`, password: 'wrong password' };
      tries.push((await on.anonymous.post('/api/v1/login', body)).status);
    }
    expect(tries).toEqual([401, 401, 401, 401, 401, 429]);
    const forged = on.anonymous.with({ authorization: 'Bearer a.b.c' });
    expectError(await forged.get(PRODUCTS), 429, 'RATE_LIMIT_EXCEEDED');
  });

  it('is wider for an address as a whole, before the caller is known', async () => {
    const on = await start({ RATE_LIMIT: '4' });
    const viewer = await on.as('viewer');
    const flood = Array.from({ length: 60 }, () => exchange(on, wire('GET /nothing')));
    expect((await Promise.all(flood)).every(({ answer }) => [404, 429].includes(answer.status))).toBe(true);
    // Refuses even a caller who has requests left.
    expectError(await viewer.get(PRODUCTS), 429, 'RATE_LIMIT_EXCEEDED');
  });

  it('neither counts nor refuses health checks', async () => {
    const on = await start({ RATE_LIMIT: '3', RATE_LIMIT_WINDOW: '30' });
    for (let i = 0; i < 40; i++) {
      const { status, headers } = await on.anonymous.get('/health/live');
      expect([status, headers.get('ratelimit')]).toEqual([200, '"default";r=3;t=30']);
    }
    expect(left(await on.anonymous.get(PRODUCTS))).toBe(2);
    const flood = Array.from({ length: 40 }, () => exchange(on, wire('GET /nothing')));
    await Promise.all(flood);
    expectError(await on.anonymous.get('/nothing'), 429, 'RATE_LIMIT_EXCEEDED');
    for (const path of ['/health/live', '/health/ready']) {
      expect((await on.anonymous.get(path)).status).toBe(200);
      expect((await on.anonymous.head(path)).status).toBe(200);
    }
  });

  it('is turned off by RATE_LIMIT=0, headers included', async () => {
    const viewer = await (await start({ RATE_LIMIT: '0' })).as('viewer');
    const answers = await Promise.all(Array.from({ length: 30 }, () => viewer.get(PRODUCTS)));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect([...answer.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    }
  });
});

describe('the address that is counted', () => {
  const remaining = async (on: TestApp, forwardedFor: string | undefined): Promise<number> => {
    const headers = forwardedFor === undefined ? [] : [`X-Forwarded-For: ${forwardedFor}`];
    return left((await exchange(on, wire('GET /nothing', headers))).answer);
  };

  it('is that of the connection, whatever X-Forwarded-For says', async () => {
    const on = await start({ RATE_LIMIT: '20' });
    const counts: number[] = [];
    for (const address of [undefined, '203.0.113.1', '203.0.113.2', '::1, 203.0.113.3', 'nonsense']) {
      counts.push(await remaining(on, address));
    }
    expect(counts).toEqual([19, 18, 17, 16, 15]);
  });

  it('is the last untrusted one in X-Forwarded-For if a trusted proxy sends it', async () => {
    const on = await start({ RATE_LIMIT: '20', TRUST_PROXY: '127.0.0.1,10.0.0.0/8' });
    expect(await remaining(on, '203.0.113.1')).toBe(19);
    expect(await remaining(on, '203.0.113.2')).toBe(19);
    expect(await remaining(on, '203.0.113.1')).toBe(18);
    expect(await remaining(on, '198.51.100.9, 203.0.113.1, 10.1.2.3')).toBe(17);
    // The first 64 bits of an IPv6 address count.
    expect(await remaining(on, '2001:db8:1:2::1')).toBe(19);
    expect(await remaining(on, '2001:DB8:0001:2:ffff:ffff:ffff:ffff')).toBe(18);
    expect(await remaining(on, '::ffff:203.0.113.1')).toBe(16);
  });

  it('is that of the proxy if X-Forwarded-For has no address', async () => {
    const on = await start({ RATE_LIMIT: '20', TRUST_PROXY: '1' });
    const counts: number[] = [];
    for (const forwardedFor of [undefined, 'nonsense', 'x'.repeat(1_000), '203.0.113.1, unknown']) {
      counts.push(await remaining(on, forwardedFor));
    }
    expect(counts).toEqual([19, 18, 17, 16]);
  });
});
