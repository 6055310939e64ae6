import { RawConnection } from '../lib/raw.mjs';
import { secondsSince, sleep, until } from '../lib/waiting.mjs';

const HOSTED = 'Host: 127.0.0.1\r\nX-Forwarded-Proto: https\r\n';
/** "Slow headers or a slow body: 408 within 10 s"; a second more for a busy machine to say so. */
const TIMEOUT_SECONDS = 11;
const STOP_SECONDS = 10;
/**
 * How long an answer may stay unread: 10 s without a byte taken (docs/operations.md), of which Node learns at the end
 * of the 10 s after the last one that was; and a second more.
 */
const UNREAD_SECONDS = 21;
const DEAF = 10;

/** Clients that send, or read, as slowly as they can. */
export default {
  name: 'slow-clients',
  about: '600 slow sockets while others are served; half a body, and SIGTERM',
  async run(lab) {
    const shop = await lab.shop();
    await makeListsLong(shop);
    await lab.row(
      'slow-sockets',
      '300 slow headers, 290 slow bodies, 10 that do not read; others are served',
      (row) => slowSockets(lab, row, shop),
    );
    await lab.row(
      'half-body-sigterm',
      'half a body, half a header, a reader that stopped, and SIGTERM',
      (row) => stopAmong(row, shop),
    );
  },
};

const halfHeaders = () => `GET /api/v1/products HTTP/1.1\r\n${HOSTED}X-Slow: `;

/** As who may write: without credentials nobody waits for the body. */
const halfBody = ({ admin }) =>
  `POST /api/v1/products HTTP/1.1\r\n${HOSTED}Authorization: Bearer ${admin.token}\r\n` +
  'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":"';

/** A few hundred kilobytes: more than the buffers of a connection take when nobody reads. */
const list = ({ admin }) =>
  `GET /api/v2/products?limit=100&sort=createdAt:asc HTTP/1.1\r\n${HOSTED}Authorization: Bearer ${admin.token}\r\n\r\n`;

async function makeListsLong(shop) {
  const body = { name: 'Long', price: 1, category: 'long', description: 'x'.repeat(5000) };
  for (let i = 0; i < 60; i++) await shop.send('POST', '/api/v2/products', { customer: shop.admin, body });
}

async function slowSockets(lab, row, shop) {
  await shop.service.revive();
  const { port } = shop.service;
  const load = shop.load({ random: lab.random.fork(), writers: 6, faults: [] });
  await load.progress();
  const begin = performance.now();
  const slow = open(590, () => new RawConnection(port));
  slow.forEach((connection, i) => connection.send(i < 300 ? halfHeaders() : halfBody(shop)));
  const deaf = open(DEAF, () => new RawConnection(port, { reads: false }));
  // Not all at once: a crowd is another matter.
  const asking = deaf.flatMap((connection) => Array.from({ length: 20 }, () => connection));
  const isOver = () => slow.every(({ closedAt }) => closedAt !== undefined) && asking.length === 0;
  while (!isOver() && secondsSince(begin) < TIMEOUT_SECONDS + 10) {
    for (const connection of slow) if (connection.closedAt === undefined) connection.send('x');
    for (const connection of asking.splice(0, 10)) connection.send(list(shop));
    await load.progress(1);
    await sleep(500);
  }
  const closed = slow.map(({ closedAt }) => ((closedAt ?? performance.now()) - begin) / 1000);
  row.within(Math.max(...closed), TIMEOUT_SECONDS, 'the last slow request was ended');
  const timedOut = slow.filter(({ answer }) => answer?.status === 408).length;
  row.check(timedOut === slow.length, `${timedOut} of ${slow.length} slow requests were answered with 408`);
  row.bad.push(...slow.map(({ flaw }) => flaw).filter(Boolean));
  row.within(await cutAfter(deaf), UNREAD_SECONDS, 'those that do not read were cut');
  for (const connection of [...slow, ...deaf]) connection.close();
  await load.progress();
  await load.stop();
  row.takeLoad(load);
  row.readyAfter(await shop.service.readyAgain());
  row.takeService(shop.service);
  row.takeAudit(await shop.audit());
}

/** Seconds until the server has none of them open any more. */
async function cutAfter(connections) {
  const begin = performance.now();
  const isCut = () => connections.every(({ isOpenAtServer }) => !isOpenAtServer);
  await until('those that do not read are cut', isCut, { seconds: 2 * UNREAD_SECONDS, everyMs: 200 });
  return secondsSince(begin);
}

const open = (count, make) => Array.from({ length: count }, make);

async function stopAmong(row, shop) {
  await shop.service.revive();
  const { port } = shop.service;
  const [body, headers] = open(2, () => new RawConnection(port));
  const others = [new RawConnection(port, { reads: false }), new RawConnection(port)];
  others[0].send(list(shop).repeat(20));
  headers.send(halfHeaders());
  body.send(halfBody(shop));
  // Until they have arrived: what comes after a signal is refused, and that is another matter.
  await sleep(500);
  const { code, seconds } = await shop.service.stop(20);
  row.check(
    code === 0,
    `SIGTERM: ${code === null ? 'still there' : `exit ${code}`} after ${seconds.toFixed(1)} s`,
  );
  row.within(seconds, STOP_SECONDS, 'stopped');
  row.note(`stopped after ${seconds.toFixed(1)} s; the half body got ${body.answer?.status ?? 'no answer'}`);
  await until('the connection is closed', () => body.closedAt);
  row.check(
    [408, 503].includes(body.answer?.status),
    `the half body got ${body.answer?.status ?? 'no answer'}`,
  );
  if (body.flaw) row.bad.push(body.flaw);
  for (const connection of [body, headers, ...others]) connection.close();
}
