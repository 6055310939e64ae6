import { flood, quantile } from '../lib/flood.mjs';
import { send } from '../lib/http.mjs';
import { secondsSince, sleep } from '../lib/waiting.mjs';

const CONNECTIONS = 800;
/** What a balancer waits for health at the least, before it takes an instance out and makes matters worse. */
const HEALTH_SECONDS = 0.5;
/** What a client that was let in may wait. */
const LET_IN_SECONDS = 1;
const NORMAL_SECONDS = 5;
const NORMAL_ANSWER_SECONDS = 0.1;
/** What half of eight clients wait for a list on two idle cores: by what they wait now the bounds are scaled. */
const IDLE_SECONDS = 0.006;

/** More than the service can do: some of it is done in time, the rest is turned away at once. */
export default {
  name: 'overload',
  about: '800 connections that ask for lists without a pause',
  async run(lab) {
    for (const [name, did, settings, mustRefuse] of BOUNDS) {
      await lab.row(name, did, async (row) => {
        await overload(lab, row, await lab.shop(settings), mustRefuse);
      });
    }
  },
};

const BOUNDS = [
  ['overload', '800 connections: health is fast, the rest served in time or 503', {}, false],
  [
    'overload-bounded',
    'the same with MAX_IN_FLIGHT=100: most are 503 at once',
    { MAX_IN_FLIGHT: '100' },
    true,
  ],
];

async function overload(lab, row, shop, mustRefuse) {
  const { port } = shop.service;
  const request =
    'GET /api/v1/products?limit=20 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-Proto: https\r\n' +
    `Authorization: Bearer ${shop.admin.token}\r\n\r\n`;
  const seconds = lab.isLong ? 60 : 6;
  const calm = await flood(lab.scope, { port, connections: 8, seconds: 2, request });
  const busy = Math.max(1, quantile(calm.seconds[200] ?? [], 0.5) / IDLE_SECONDS);
  const flooding = flood(lab.scope, { port, connections: CONNECTIONS, seconds, request });
  const health = await watchHealth(row, port, seconds - 0.5);
  const { statuses, flaws, seconds: times } = await flooding;
  row.bad.push(...flaws);
  const unexpected = Object.keys(statuses).filter((status) => !['200', '503'].includes(status));
  row.check(unexpected.length === 0, `answers: ${JSON.stringify(statuses)}`);
  if (mustRefuse) row.check(statuses[503] > 0, `nothing was turned away: ${JSON.stringify(statuses)}`);
  const p99 = quantile(times[200] ?? [], 0.99);
  row.within(quantile(health, 0.95), HEALTH_SECONDS * busy, '95 of 100 looks at the health were answered');
  row.within(p99, LET_IN_SECONDS * busy, '99 of 100 that were let in were answered');
  row.note(
    `${JSON.stringify(statuses)}; p99 with 8 connections ${ms(quantile(calm.seconds[200] ?? [], 0.99))}`,
  );
  row.note(
    `with ${CONNECTIONS}: served p99 ${ms(p99)}, turned away p99 ${ms(quantile(times[503] ?? [], 0.99))}`,
  );
  row.note(`the machine is ${busy.toFixed(1)} times as slow as an idle one`);
  row.note(`health p50 ${ms(quantile(health, 0.5))}, p95 ${ms(quantile(health, 0.95))}`);
  row.readyAfter(await shop.service.readyAgain());
  row.within(await normalAgain(shop, NORMAL_ANSWER_SECONDS * busy), NORMAL_SECONDS, 'back to normal');
  row.takeService(shop.service);
  await shop.service.stop();
}

const ms = (seconds) => `${Math.round(seconds * 1000)} ms`;

/** @returns how long it took to be answered, each time, sorted */
async function watchHealth(row, port, seconds) {
  const begin = performance.now();
  const taken = [];
  while (secondsSince(begin) < seconds) {
    const asked = performance.now();
    const { status } = await send({ port, path: '/health/live' });
    row.check(status === 200, `/health/live: ${status}`);
    taken.push(secondsSince(asked));
    await sleep(50);
  }
  return taken.sort((a, b) => a - b);
}

/** Seconds until ten requests in a row are as fast as ever. */
async function normalAgain(shop, answerSeconds) {
  const begin = performance.now();
  for (let fast = 0; fast < 10;) {
    if (secondsSince(begin) > 30) return Infinity;
    const asked = performance.now();
    const { status } = await shop.send('GET', '/api/v1/products?limit=20');
    fast = status === 200 && secondsSince(asked) < answerSeconds ? fast + 1 : 0;
  }
  return secondsSince(begin);
}
