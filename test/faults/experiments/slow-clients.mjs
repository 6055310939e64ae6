import { RawConnection } from '../lib/raw.mjs';
import { secondsSince, sleep, until } from '../lib/waiting.mjs';

const HOSTED = 'Host: 127.0.0.1\r\nX-Forwarded-Proto: https\r\n';
/** "Slow headers or a slow body: 408 within 10 s"; a second more for a busy machine to say so. */
const TIMEOUT_SECONDS = 11;
const STOP_SECONDS = 10;

/** Clients that send, or read, as slowly as they can. */
export default {
  name: 'slow-clients',
  about: '600 slow sockets while others are served; half a body, and SIGTERM',
  async run(lab) {
    const shop = await lab.shop();
    await lab.row(
      'slow-sockets',
      '300 slow headers, 200 slow bodies, 100 that do not read; others are served',
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

const lists = ({ admin }) =>
  `GET /api/v1/products?limit=100 HTTP/1.1\r\n${HOSTED}Authorization: Bearer ${admin.token}\r\n\r\n`.repeat(
    50,
  );

async function slowSockets(lab, row, shop) {
  await shop.service.revive();
  const { port } = shop.service;
  const load = shop.load({ random: lab.random.fork(), writers: 6, faults: [] });
  await load.progress();
  const begin = performance.now();
  const slow = open(500, () => new RawConnection(port));
  slow.forEach((connection, i) => connection.send(i < 300 ? halfHeaders() : halfBody(shop)));
  const deaf = open(100, () => new RawConnection(port, { reads: false }));
  for (const connection of deaf) connection.send(lists(shop));
  const isOver = () => slow.every(({ closedAt }) => closedAt !== undefined);
  while (!isOver() && secondsSince(begin) < TIMEOUT_SECONDS + 10) {
    for (const connection of slow) if (connection.closedAt === undefined) connection.send('x');
    await load.progress(1);
    await sleep(500);
  }
  const closed = slow.map(({ closedAt }) => ((closedAt ?? performance.now()) - begin) / 1000);
  row.within(Math.max(...closed), TIMEOUT_SECONDS, 'the last slow request was ended');
  const timedOut = slow.filter(({ answer }) => answer?.status === 408).length;
  row.check(timedOut === slow.length, `${timedOut} of ${slow.length} slow requests were answered with 408`);
  row.bad.push(...slow.map(({ flaw }) => flaw).filter(Boolean));
  for (const connection of [...slow, ...deaf]) connection.close();
  await load.progress();
  await load.stop();
  row.takeLoad(load);
  row.readyAfter(await shop.service.readyAgain());
  row.takeService(shop.service);
  row.takeAudit(await shop.audit());
}

const open = (count, make) => Array.from({ length: count }, make);

async function stopAmong(row, shop) {
  await shop.service.revive();
  const { port } = shop.service;
  const [body, headers] = open(2, () => new RawConnection(port));
  const others = [new RawConnection(port, { reads: false }), new RawConnection(port)];
  others[0].send(lists(shop));
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
