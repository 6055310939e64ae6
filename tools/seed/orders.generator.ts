import type { OrderStatus } from '../../src/orders/order-status.js';
import { Order, OrderItem } from '../../src/orders/order.entity.js';
import { countAt, ExistingProduct, ExistingRow } from './existing.js';
import { Generator, Seeded } from './generator.js';
import { Random } from './random.js';
import { between, DAY_MS, spread, YEAR_MS } from './times.js';

type SeededItem = Seeded<
  OrderItem,
  'userId' | 'productId' | 'productName' | 'unitPrice' | 'quantity' | 'createdAt' | 'updatedAt'
>;

export type SeededOrder = Seeded<
  Order,
  'userId' | 'status' | 'total' | 'version' | 'createdAt' | 'updatedAt'
> & { readonly items: readonly SeededItem[] };

/** How many lines, and of how many pieces: the usual numbers more often. */
const LINES = [1, 1, 1, 2, 2, 2, 3, 3, 4, 5];
const PIECES = [1, 1, 1, 1, 1, 2, 2, 3, 4, 6];

/** How an order goes on, each step within so many days of the last one, and how many stay where they are. */
const STEPS = [
  { from: 'pending', to: 'paid', days: 3, stay: 0.03 },
  { from: 'paid', to: 'shipped', days: 7, stay: 0.01 },
  { from: 'shipped', to: 'delivered', days: 14, stay: 0.01 },
] as const satisfies readonly { from: OrderStatus; to: OrderStatus; days: number; stay: number }[];
/** Before it is paid, and again before it is shipped. */
const CANCELLED = 0.03;

/** Orders of the past two years, for products that existed by then, the oldest first. */
export const ORDERS: Generator<SeededOrder> = {
  name: 'orders',
  entity: Order,
  parts: { entity: OrderItem, property: 'items', owner: 'orderId' },
  needs: ['products', 'users'],
  *rows({ count, random, now, existing: { products, users } }) {
    for (let index = 0; index < count; index++) {
      const createdAt = spread(index, count, 2 * YEAR_MS, now, random);
      const { id: userId } = users[random.integer(1, countAt(users, createdAt.getTime())) - 1] as ExistingRow;
      const items = itemsOf(userId, products, createdAt, random);
      yield { userId, ...progressOf(createdAt, now, random), total: totalOf(items), createdAt, items };
    }
  },
};

/** One to five lines, each of another product. */
function itemsOf(
  userId: number,
  products: readonly ExistingProduct[],
  createdAt: Date,
  random: Random,
): SeededItem[] {
  const choice = countAt(products, createdAt.getTime());
  const wanted = Math.min(random.pick(LINES), choice);
  const chosen = new Set<ExistingProduct>();
  while (chosen.size < wanted) chosen.add(products[random.integer(1, choice) - 1] as ExistingProduct);
  return [...chosen].map(({ id, name, price }) => ({
    userId,
    productId: id,
    productName: name,
    unitPrice: Number(price),
    quantity: random.pick(PIECES),
    createdAt,
    updatedAt: createdAt,
  }));
}

/** The status that an order has reached since. */
function progressOf(
  createdAt: Date,
  now: Date,
  random: Random,
): Pick<SeededOrder, 'status' | 'version' | 'updatedAt'> {
  let status: OrderStatus = 'pending';
  let updatedAt = createdAt;
  let version = 1;
  for (const { from, to, days, stay } of STEPS) {
    if (random.chance(stay)) break;
    const next = between(updatedAt, new Date(updatedAt.getTime() + days * DAY_MS), random);
    if (next > now) break;
    updatedAt = next;
    version++;
    const isCancelled = from !== 'shipped' && random.chance(CANCELLED);
    status = isCancelled ? 'cancelled' : to;
    if (isCancelled) break;
  }
  return { status, version, updatedAt };
}

/** Summed in whole cents, so exact. */
function totalOf(items: readonly SeededItem[]): number {
  return (
    items.reduce((cents, { unitPrice, quantity }) => cents + Math.round(unitPrice * 100) * quantity, 0) / 100
  );
}
