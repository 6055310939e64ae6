import { fetched } from '../support/fetched.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { describeWithRedis, startRedis, TestRedis } from '../support/redis.js';
import { ThrottledModule } from './throttle.module.js';

describeWithRedis('@Throttle() on instances that share a Redis', () => {
  let redis: TestRedis;
  const apps: OwnApp[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    for (let i = 0; i < 2; i++) {
      apps.push(await startInProcess({ REDIS_URL: redis.url }, undefined, [ThrottledModule]));
    }
  });
  afterAll(async () => {
    for (const app of apps) await app.stop();
    await redis.remove();
  });

  const statusAt = async (app: OwnApp, path: string): Promise<number> =>
    (await fetched(`${app.baseUrl}/api/v1/${path}`)).status;

  it('is one count, and one block', async () => {
    const [one, two] = apps as [OwnApp, OwnApp];
    const plain = 'throttled-class/plain';
    expect([await statusAt(one, plain), await statusAt(two, plain), await statusAt(one, plain)]).toEqual([
      200, 200, 200,
    ]);
    expect(await statusAt(two, plain)).toBe(429);
    const blocked = 'throttled/blocked';
    expect([await statusAt(one, blocked), await statusAt(two, blocked)]).toEqual([200, 429]);
    const again = await fetched(`${one.baseUrl}/api/v1/${blocked}`);
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(590);
  });
});
