import { spawnSync } from 'node:child_process';

import { Redis } from 'ioredis6';

import { freePort } from '../../../scripts/lib/free-port.mjs';
import { destroy, signal, start } from '../lib/processes.mjs';
import { sleep, until } from '../lib/waiting.mjs';

/** F4: a Redis with sessions and rate limits becomes unavailable, and comes back. */
export default async function redisIll(lab) {
  lab.need(spawnSync('redis-server', ['--version']).status === 0, 'redis-server is not installed');
  const redis = { port: await freePort(), folder: lab.folder() };
  lab.scope.defer(() => redis.child && destroy(redis.child));
  await startRedis(redis);
  const settings = { REDIS_URL: urlOf(redis), SESSION_STORE: 'redis', RATE_LIMIT: '1000000' };
  const shop = await lab.shop(settings, { hasSessions: false });
  for (const [name, did, takeAway, giveBack] of FAULTS) {
    await lab.row(name, did, async (row) => {
      const away = async (load) => {
        await takeAway(redis);
        await sleep(2000);
        // Tokens, keys and limits work without Redis.
        await load.progress();
        await giveBack(redis);
      };
      await lab.mistreat(row, shop, away, { faults: [503] });
      const headers = { cookie: `session_id=${shop.customers[0].sessionId}` };
      const isBack = async () =>
        (await shop.send('GET', '/api/v1/users/me', { token: null, headers })).status === 200;
      await until('a session from before is accepted again', isBack);
    });
  }
}

const FAULTS = [
  [
    'redis-frozen',
    'Redis is frozen for 2 s, and everything except session cookies works',
    ({ child }) => signal(child.pid, 'SIGSTOP'),
    ({ child }) => signal(child.pid, 'SIGCONT'),
  ],
  ['redis-killed', 'Redis is killed and started 2 s later', ({ child }) => destroy(child), startRedis],
];

const urlOf = ({ port }) => `redis://127.0.0.1:${port}`;

/** Starts a Redis server that persists every write, as one with sessions should. */
async function startRedis(redis) {
  const settings = ['--port', String(redis.port), '--bind', '127.0.0.1', '--dir', redis.folder, '--save', ''];
  redis.child = start('redis-server', [...settings, '--appendonly', 'yes', '--appendfsync', 'always'], {
    stdio: 'ignore',
  });
  await until('Redis answers', async () => {
    const client = new Redis(urlOf(redis), { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined);
    return client
      .connect()
      .then(
        () => true,
        () => false,
      )
      .finally(() => client.disconnect());
  });
}
