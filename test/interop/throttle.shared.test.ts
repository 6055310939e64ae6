import { eventually } from '../support/eventually.js';
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
      const settings = { REDIS_URL: redis.url, TRUST_PROXY: 'loopback' };
      apps.push(await startInProcess(settings, undefined, [ThrottledModule]));
    }
  });
  afterAll(async () => {
    for (const app of apps) await app.stop();
    await redis.remove();
  });

  let tries = 0;
  /**
   * Asks one instance and the other in turn, from an address that nothing has been counted for. Tries again where the
   * answers are others: where a busy machine keeps Redis from answering for 300 ms, each counts for itself.
   */
  const expectInTurn = async (path: string, expected: readonly number[]): Promise<void> => {
    const statuses = async (): Promise<string> => {
      const headers = { 'x-forwarded-for': `203.0.113.${++tries}` };
      const found: number[] = [];
      for (const i of expected.keys()) {
        const { status } = await fetched(`${apps[i % 2]!.baseUrl}/api/v1/${path}`, { headers });
        found.push(status);
      }
      return String(found);
    };
    await eventually(statuses, String(expected), 10_000);
  };

  it('is one count', async () => {
    await expectInTurn('throttled-class/plain', [200, 200, 200, 429]);
  });
});
