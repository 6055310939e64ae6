import { setImmediate as turn } from 'node:timers/promises';

import { eventually } from '@plinth/dev/testing';

import { RedisConnection } from '../../packages/core/src/redis/redis-connection.js';
import { describeWithRedis, startRedis, TestRedis } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.mjs';

describeWithRedis('the connection to Redis', () => {
  let redis: TestRedis;
  let proxy: TcpProxy;
  let connection: RedisConnection;

  beforeAll(async () => {
    redis = await startRedis();
    proxy = await TcpProxy.to(redis.url);
    connection = await RedisConnection.create(proxy.urlOf(redis.url));
    await connection.onApplicationBootstrap();
  });
  afterAll(async () => {
    connection.onModuleDestroy();
    await proxy.refuse();
    await redis.remove();
  });

  const answers = (): Promise<boolean> =>
    connection
      .call((client) => client.ping())
      .then(
        () => true,
        () => false,
      );

  it.each([
    ['before sending the request', () => Promise.resolve()],
    ['after sending the request', turn],
  ])('receives a response that arrived while the process was busy, %s', async (_name, begin) => {
    const asked = async (): Promise<boolean> => {
      const answer = answers();
      await begin();
      const busyUntil = performance.now() + 400;
      while (performance.now() < busyUntil);
      return answer;
    };
    // Redis itself may be delayed for a moment.
    await eventually(asked, true, 20_000);
  });

  it('reconnects after the network has dropped the connection silently', async () => {
    await eventually(answers, true, 20_000);
    proxy.forget();
    expect(await answers()).toBe(false);
    await eventually(answers, true, 20_000);
  });
});
