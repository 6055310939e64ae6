import { setTimeout as sleep } from 'node:timers/promises';

import { RedisConnection } from '../../../src/redis/redis-connection.js';
import { OwnApp, startInProcess } from '../../support/own-app.js';
import { describeWithRedis, startRedis, TestRedis } from '../../support/redis.js';

const LIMIT = 40;

describeWithRedis('limits that instances share', () => {
  let redis: TestRedis;
  let one: OwnApp;
  let two: OwnApp;

  beforeAll(async () => {
    redis = await startRedis();
    const settings = {
      REDIS_URL: redis.url,
      RATE_LIMIT: String(LIMIT),
      RATE_LIMIT_WINDOW: '3600',
      LOGIN_RATE_LIMIT: '3',
      TRUST_PROXY: '1',
    };
    one = await startInProcess(settings);
    two = await startInProcess(settings);
  });
  afterAll(async () => {
    await one.stop();
    await two.stop();
    await redis.remove();
  });

  let next = 1;
  const newAddress = () => ({ 'x-forwarded-for': `192.0.2.${next++}` });
  const hit = (app: OwnApp, headers: Record<string, string>) =>
    app.anonymous.get('/.well-known/jwks.json', headers);
  const left = async (app: OwnApp, headers: Record<string, string>) =>
    Number((await hit(app, headers)).headers.get('x-ratelimit-remaining'));
  const connected = async (app: OwnApp) => {
    const connection = app.app.nest.get(RedisConnection, { strict: false });
    while (!connection.isReady) await sleep(20);
  };

  it('are one count, exact under concurrency', async () => {
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: LIMIT + 10 }, (_, i) => hit(i % 2 ? one : two, address)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(3590);
  });

  it('of logins too', async () => {
    const email = 'nobody@example.com';
    for (const app of [one, two, one]) {
      const answer = await app.anonymous.post('/login', { email, password: 'wrong password' }, newAddress());
      expect(answer.status).toBe(401);
    }
    const answer = await two.anonymous.post('/login', { email, password: 'wrong password' }, newAddress());
    expect(answer.status).toBe(429);
  });

  it('are counted by each for itself while Redis is away, and together when it is back', async () => {
    const address = newAddress();
    expect([await left(one, address), await left(two, address)]).toEqual([LIMIT - 1, LIMIT - 2]);
    await redis.kill();
    await sleep(50);
    expect([await left(one, address), await left(two, address)]).toEqual([LIMIT - 1, LIMIT - 1]);
    await redis.start();
    await Promise.all([connected(one), connected(two)]);
    await sleep(1_100);
    expect([await left(one, address), await left(two, address)]).toEqual([LIMIT - 1, LIMIT - 2]);
  });
});
