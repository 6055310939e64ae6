import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import { eventually } from '@plinth/dev/testing';
import { Redis } from 'ioredis6';

import { createLogger, NestLog } from '../../packages/core/src/http/logging/logger.js';
import { RedisConnection } from '../../packages/core/src/redis/redis-connection.js';
import { describeWithRedis, startRedis, TestRedis } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.mjs';

describeWithRedis('the connection to Redis', () => {
  let redis: TestRedis;
  let proxy: TcpProxy;
  let connection: RedisConnection;

  const log: { level: number; msg: string }[] = [];
  beforeAll(async () => {
    const write = (line: string): number => log.push(JSON.parse(line) as never);
    Logger.overrideLogger(new NestLog(createLogger('info', { write })));
    redis = await startRedis();
    proxy = await TcpProxy.to(redis.url);
    connection = await RedisConnection.create(proxy.urlOf(redis.url));
    await connection.onApplicationBootstrap();
  });
  afterAll(async () => {
    connection.onModuleDestroy();
    Logger.overrideLogger(false);
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

  const set = async (...settings: string[]): Promise<void> => {
    const client = new Redis(redis.url);
    await client.call('config', 'set', ...settings);
    client.disconnect();
  };

  it.each<[string, RegExp, () => unknown, () => unknown]>([
    ['is killed', /ECONNRESET|ECONNREFUSED|closed/, () => redis.kill(), () => redis.start()],
    ['is frozen', /did not respond within 300 ms/, () => redis.freeze(), () => redis.thaw()],
    ['is out of memory', /OOM/, () => set('maxmemory', '1'), () => set('maxmemory', '0')],
    [
      'needs more replicas',
      /NOREPLICAS/,
      () => set('min-replicas-to-write', '1'),
      () => set('min-replicas-to-write', '0'),
    ],
  ])(
    'counts and logs one outage if Redis %s, and notices when it works again',
    async (_name, cause, begin, end) => {
      await eventually(() => connection.check(), true, 20_000);
      const before = connection.outageCount;
      log.length = 0;
      await begin();
      await eventually(() => connection.check(), false, 20_000);
      for (let i = 0; i < 5; i++) expect(await connection.check()).toBe(false);
      await end();
      await eventually(() => connection.check(), true, 20_000);
      expect(connection.outageCount - before).toBe(1);
      expect(log).toMatchObject([
        { level: 40, msg: expect.stringMatching(/^Redis is unavailable: /) as unknown },
        { level: 30, msg: 'Redis is available again.' },
      ]);
      expect(log[0]?.msg).toMatch(cause);
    },
  );

  it.each<[string, RegExp, (url: URL) => unknown]>([
    ['does not listen', /ECONNREFUSED/, (url) => (url.port = '1')],
    ['refuses the password', /WRONGPASS/, (url) => (url.password = 'wrong')],
    ['requires a password', /NOAUTH/, () => undefined],
  ])('logs once, with the cause, that Redis %s', async (_name, cause, change) => {
    await connection.client.call('config', 'set', 'requirepass', 'right');
    const url = new URL(redis.url);
    change(url);
    log.length = 0;
    const refused = await RedisConnection.create(url.href);
    await refused.onApplicationBootstrap();
    await eventually(() => refused.check(), false, 20_000);
    for (let i = 0; i < 5; i++) await refused.check();
    refused.onModuleDestroy();
    await connection.client.call('config', 'set', 'requirepass', '');
    expect(log).toMatchObject([{ level: 40, msg: expect.stringMatching(cause) as unknown }]);
  });

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

  it('keeps a new connection when the time-out of a command on the old one ends', async () => {
    await eventually(() => connection.check(), true, 20_000);
    redis.freeze();
    expect(await connection.check()).toBe(false);
    proxy.cut();
    redis.thaw();
    await eventually(() => connection.check(), true, 20_000);
    const outages = connection.outageCount;
    // The socket's time-out is two seconds.
    for (let i = 0; i < 25; i++) {
      await delay(100);
      await connection.check();
    }
    expect(connection.outageCount).toBe(outages);
  });

  it('reconnects after the network has dropped the connection silently', async () => {
    await eventually(answers, true, 20_000);
    proxy.forget();
    expect(await answers()).toBe(false);
    await eventually(answers, true, 20_000);
  });
});
