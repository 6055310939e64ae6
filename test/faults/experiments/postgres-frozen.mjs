import { sleep, until } from '../lib/waiting.mjs';

/** Longer than `idle_in_transaction_session_timeout`, after which PostgreSQL rolls an idle transaction back. */
const UNDONE_MS = 12_000;
const ONLY_ORDERS = { placeOrder: 1, placeOrderWithKey: 1 };
/** Each write is a single statement, which would be lost in a transaction that somebody left open. */
const ONLY_STATEMENTS = { createProduct: 2, patchProduct: 1 };

/** F1: a write after a freeze must not become part of a transaction that the freeze has left open. */
export default async function postgresFrozen(lab) {
  const shop = await lab.shop();
  const did = 'PostgreSQL is frozen until orders time out, then thawed, written to, and checked 12 s later';
  await lab.row('postgres-frozen', did, (row) => freeze(lab, shop, row));
}

async function freeze(lab, shop, row) {
  await shop.service.revive();
  const orders = shop.load({ random: lab.random.fork(), writers: 3, mix: ONLY_ORDERS });
  await orders.progress(3);
  shop.database.cluster.freeze();
  try {
    await until('orders have timed out', () => areGivenUp(orders.tally.statuses));
    // No other request may use, and thereby end, a transaction that was left open.
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

/** Orders with a connection are answered with 504, and those that waited for a new connection with 503. */
function areGivenUp(statuses) {
  const late = statuses.get(504) ?? 0;
  return late > 0 && late + (statuses.get(503) ?? 0) >= 3;
}
