import { RedisConnection } from '../../src/redis/redis-connection.js';
import { eventually } from '../support/eventually.js';
import { describeWithRedis, startRedis, TestRedis } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';

describeWithRedis('the connection to Redis', () => {
  let redis: TestRedis;
  let proxy: TcpProxy;
  let connection: RedisConnection;

  beforeAll(async () => {
    redis = await startRedis();
    proxy = await TcpProxy.to(redis.url);
    connection = new RedisConnection(proxy.urlOf(redis.url));
    await connection.onApplicationBootstrap();
  });
  afterAll(async () => {
    connection.onModuleDestroy();
    await proxy.refuse();
    await redis.remove();
  });

  const answers = (): Promise<boolean> =>
    connection.client.ping().then(
      () => true,
      () => false,
    );

  it('is opened anew when it is forgotten without a word', async () => {
    expect(await answers()).toBe(true);
    proxy.forget();
    expect(await answers()).toBe(false);
    await eventually(answers, true, 20_000);
  });
});
