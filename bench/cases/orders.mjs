/** Cases of orders: listing those of a user, and placing them. */
import { isDeepStrictEqual } from 'node:util';
import { UNIQUE } from '../load.mjs';
import { CREATED, get, isSameList, OK, pick, post, times } from './requests.mjs';

const LINES = 3;
const KEYED = { 'idempotency-key': UNIQUE };

/** Each order has random products, so that few orders wait for the locks of others. */
const orders = (headers) => async (context) => {
  if (context.inStock.length < LINES) throw new Error(`fewer than ${LINES} products are in stock`);
  return times(5000, () => order(context, headers));
};

function order({ customers, inStock, random }, headers) {
  const products = new Set();
  while (products.size < LINES) products.add(pick(random, inStock));
  const items = [...products].map((productId) => ({ productId, quantity: 1 + Math.floor(random() * 5) }));
  return post(`/users/${pick(random, customers)}/orders`, { items }, headers);
}

/** Returns the parts of an order without ids and times, which differ between any two orders. */
const essence = ({ userId, status, total, items }) => ({
  userId,
  status,
  total,
  items: items.map(({ productId, productName, unitPrice, quantity, lineTotal }) => ({
    productId,
    productName,
    unitPrice,
    quantity,
    lineTotal,
  })),
});

const isSameOrder = ({ body: ours, headers }, { body: baseline }) =>
  headers.get('location')?.endsWith(`/${ours.id}`) &&
  !headers.has('idempotency-replayed') &&
  ours.items.length === LINES &&
  ours.items.every(({ orderId }) => orderId === ours.id) &&
  isDeepStrictEqual(essence(ours), essence(baseline));

/** @type {import('../cases.mjs').Case[]} */
export const orderCases = [
  {
    name: 'orders',
    title: 'Orders of a user, with items',
    status: OK,
    pairs: async ({ customers }) =>
      [1, 2].flatMap((page) => customers.map((id) => get(`/users/${id}/orders?page=${page}`))),
    isSame: isSameList,
  },
  {
    name: 'place-order',
    title: 'Place an order of 3 lines',
    status: CREATED,
    pairs: orders({}),
    isSame: isSameOrder,
  },
  {
    name: 'place-order-once',
    title: 'The same with an Idempotency-Key',
    status: CREATED,
    pairs: orders(KEYED),
    isSame: isSameOrder,
  },
];
