import { eventually } from '@plinth/dev/testing';

import { startOn, TestApp } from '../../support/app.js';
import { createDatabase } from '../../support/databases.js';
import { describeWithRedis, startRedis, TestRedis } from '../../support/redis.js';

const LIMIT = 40;
const SECOND = 1_000;

describeWithRedis('limits that instances share', () => {
  let redis: TestRedis;
  let one: TestApp;
  let two: TestApp;

  beforeAll(async () => {
    redis = await startRedis();
    const settings = {
      REDIS_URL: redis.url,
      RATE_LIMIT: String(LIMIT),
      RATE_LIMIT_WINDOW: '3600',
      LOGIN_RATE_LIMIT: '3',
      TRUST_PROXY: '1',
    };
    const database = await createDatabase();
    one = await startOn(database, settings);
    two = await startOn(database, settings);
  });
  afterAll(async () => {
    await one.stop();
    await two.stop();
    await redis.remove();
  });

  let next = 0;
  const newAddress = () => ({ 'x-forwarded-for': `198.18.${Math.floor(++next / 250)}.${next % 250}` });
  const hit = (app: TestApp, headers: Record<string, string>) =>
    app.anonymous.get('/.well-known/jwks.json', headers);
  const left = async (app: TestApp, headers: Record<string, string>) =>
    Number((await hit(app, headers)).headers.get('x-ratelimit-remaining'));
  /** Whether a request to one instance is counted by the other. */
  const isShared = async (): Promise<boolean> => {
    const address = newAddress();
    const before = await left(one, address);
    return (await left(two, address)) < before;
  };

  it('are one count for all instances, exact under concurrency', async () => {
    const burst = async (): Promise<number> => {
      const address = newAddress();
      const answers = await Promise.all(
        Array.from({ length: LIMIT + 10 }, (_, i) => hit(i % 2 ? one : two, address)),
      );
      for (const { status, headers } of answers)
        if (status !== 200) expect([status, Number(headers.get('retry-after')) > 3590]).toEqual([429, true]);
      return answers.filter(({ status }) => status === 200).length;
    };
    // If a busy machine delays Redis by more than 300 ms, each instance counts for itself, so the burst is
    // repeated.
    await eventually(burst, LIMIT, 30 * SECOND);
  });

  it('count each operation of a batch', async () => {
    const batches = async (): Promise<string> => {
      const { email, password } = await one.user('editor');
      const headers = { authorization: `Basic ${btoa(`${email}:${password}`)}`, ...newAddress() };
      const create = { method: 'create', body: { name: 'Shelf', price: 1, category: 'batch' } };
      const batch = (app: TestApp, length: number) =>
        app.anonymous.post('/api/v1/products/batch', { operations: Array(length).fill(create) }, headers);
      const [first, second] = [await batch(one, 5), await batch(two, LIMIT - 4)];
      const { headers: last } = await two.anonymous.get('/api/v1/products', headers);
      return [first.status, second.status, LIMIT - Number(last.get('x-ratelimit-remaining'))].join();
    };
    await eventually(batches, '200,429,7', 30 * SECOND);
  });

  it('count failed logins of all instances together', async () => {
    let accounts = 0;
    const failures = async (): Promise<string> => {
      const body = { email: `nobody-${++accounts}@example.com`, password: 'wrong password' };
      const statuses: number[] = [];
      for (const app of [one, two, one, two])
        statuses.push((await app.anonymous.post('/login', body, newAddress())).status);
      return statuses.join();
    };
    // If Redis answers one of the requests too late, the test is repeated with another account, here and
    // below.
    await eventually(failures, '401,401,401,429', 30 * SECOND);
  });

  it('count failed logins exactly under concurrency', async () => {
    const guesses = async (): Promise<string> => {
      const { email } = await one.user('viewer');
      const address = newAddress();
      const statuses = await Promise.all(
        Array.from({ length: 12 }, async (_, i) => {
          const body = { email, password: `wrong ${i}` };
          return (await (i % 2 ? one : two).anonymous.post('/login', body, address)).status;
        }),
      );
      const count = (status: number) => statuses.filter((other) => other === status).length;
      return `${count(401)} wrong, ${count(429)} refused`;
    };
    // Repeated, because the guesses at both instances do not always overlap enough to reveal a race.
    const repeatedly = async (): Promise<string> => {
      const results = new Set<string>();
      for (let i = 0; i < 8; i++) results.add(await guesses());
      return [...results].join('; ');
    };
    await eventually(repeatedly, '3 wrong, 9 refused', 30 * SECOND);
  });

  it('count mails and registrations of all instances together', async () => {
    const requests = async (): Promise<string> => {
      const address = newAddress();
      const statuses: number[] = [];
      const post = async (app: TestApp, path: string, body: object) =>
        statuses.push((await app.anonymous.post(path, body, address)).status);
      const newcomer = () => ({ email: `new-${++next}@example.com`, password: 'a password of the tests' });
      for (let i = 0; i < 4; i++)
        await post(i % 2 ? one : two, '/api/v1/auth/password-reset', { email: `mail-${++next}@example.com` });
      for (let i = 0; i < 10; i++) await post(i % 2 ? one : two, '/api/v1/users', newcomer());
      return statuses.join();
    };
    const expected = [202, 202, 202, 429, ...Array<number>(9).fill(201), 429];
    await eventually(requests, expected.join(), 30 * SECOND);
  });

  it('are counted per instance while Redis is away, and together when it is back', async () => {
    const countedTogether = async (): Promise<string> => {
      const address = newAddress();
      const counts: number[] = [];
      for (const app of [one, two, one, two]) counts.push(LIMIT - (await left(app, address)));
      return counts.join();
    };
    await eventually(countedTogether, '1,2,3,4', 30 * SECOND);
    await redis.kill();
    await eventually(isShared, false, 30 * SECOND);
    await redis.start();
    await eventually(isShared, true, 30 * SECOND);
  });
});
