import { TcpProxy } from '../../support/tcp-proxy.mjs';
import { secondsSince, sleep, until } from '../lib/waiting.mjs';

/** DATABASE_STATEMENT_TIMEOUT_MS (5 s), plus a second for a server that does not report the time-out. */
const GIVEN_UP_SECONDS = 6;
const READY_SECONDS = 3;

/** Faults of the network between the service and PostgreSQL. */
export default async function connections(lab) {
  let proxy;
  const shop = await lab.shop(async (url) => {
    proxy = await TcpProxy.to(url);
    lab.scope.defer(() => proxy.refuse());
    return { DATABASE_URL: proxy.urlOf(url) };
  });
  for (const { name, did, fault, ...options } of faultsOf(proxy, lab)) {
    await lab.row(name, did, (row) => lab.mistreat(row, shop, (load) => fault(load, row), options));
  }
}

function faultsOf(proxy, lab) {
  return [
    { name: 'stall-7s', did: 'the network passes nothing on for 7 s', fault: () => stall(proxy) },
    {
      name: 'cut-at-random',
      did: 'one connection is cut every 30 ms for 3 s',
      fault: (_load, row) => cutAtRandom(proxy, lab, row),
    },
    {
      name: 'cut-at-commit',
      did: 'the response to every third COMMIT is lost, so the service answers 502',
      fault: (load, row) => cutAtCommit(proxy, load, row),
    },
    {
      name: 'half-open',
      did: 'all connections are dropped silently',
      fault: async () => {
        proxy.forget();
        await sleep(500);
      },
      // Only the missing responses reveal that the connections are dead.
      readySeconds: GIVEN_UP_SECONDS + READY_SECONDS,
    },
    {
      name: 'refused',
      did: 'all connections are cut, and new ones refused for 2 s',
      fault: () => refuse(proxy),
    },
  ];
}

async function stall(proxy) {
  proxy.freeze();
  await sleep(7000);
  proxy.thaw();
}

async function cutAtRandom(proxy, lab, row) {
  row.times = 0;
  const begin = performance.now();
  while (secondsSince(begin) < 3) {
    proxy.cutOne(lab.random);
    row.times++;
    await sleep(30);
  }
}

/** The message `Query` with the text COMMIT (PostgreSQL manual, 54.7). */
const COMMIT = /Q\0\0\0[^]commit;?\0/i;

async function cutAtCommit(proxy, load, row) {
  const cuts = 15;
  let seen = 0;
  row.times = 0;
  proxy.watch = (data, cut) => {
    if (!COMMIT.test(data.toString('latin1')) || ++seen % 3 > 0 || row.times >= cuts) return;
    row.times++;
    cut();
  };
  while (row.times < cuts) await load.progress(1);
  proxy.watch = undefined;
  // The outcome of the write is unknown, which 502 says, whereas 503 would invite the client to try again.
  const answered = () => load.tally.statuses.get(502) >= cuts;
  await until(`${cuts} requests whose COMMIT was cut are answered with 502`, answered);
}

async function refuse(proxy) {
  await proxy.refuse();
  await sleep(2000);
  await proxy.accept();
}
