import { sleep, until } from '../lib/waiting.mjs';

/** Longer than PostgreSQL leaves a transaction idle (`idle_in_transaction_session_timeout`), which undoes it. */
const UNDONE_MS = 12_000;
const ONLY_ORDERS = { placeOrder: 1, placeOrderWithKey: 1 };
/** Each of them one statement: in a transaction that somebody left open they would be as good as done, and are not. */
const ONLY_STATEMENTS = { createProduct: 2, patchProduct: 1 };

/** F1: what is written after a freeze must not land in a transaction that the freeze has left open. */
export default async function postgresFrozen(lab) {
  const shop = await lab.shop();
  const did =
    'PostgreSQL frozen until orders in flight are given up, thawed, written to, looked at 12 s later';
  await lab.row('postgres-frozen', did, (row) => freeze(lab, shop, row));
}

async function freeze(lab, shop, row) {
  await shop.service.revive();
  const orders = shop.load({ random: lab.random.fork(), writers: 3, mix: ONLY_ORDERS });
  await orders.progress(3);
  shop.database.cluster.freeze();
  try {
    await until('orders are given up', () => areGivenUp(orders.tally.statuses));
    // Nobody else may use, and so end, a transaction that was left open.
    await orders.stop();
  } finally {
    shop.database.cluster.thaw();
  }
  row.takeLoad(orders);
  row.readyAfter(await shop.service.readyAgain());
  const writes = shop.load({ random: lab.random.fork(), writers: 2, mix: ONLY_STATEMENTS });
  await writes.progress(18);
  await writes.stop();
  row.takeLoad(writes);
  await sleep(UNDONE_MS);
  row.takeAudit(await shop.audit());
  row.takeService(shop.service);
}

/** Those that had a connection are 504; one that waited for a new connection, as the pool had none to spare, is 503. */
function areGivenUp(statuses) {
  const late = statuses.get(504) ?? 0;
  return late > 0 && late + (statuses.get(503) ?? 0) >= 3;
}
