import Big from 'big.js';

import { ORDER_STATUSES } from '../../src/orders/order-status.js';
import { ExistingProduct } from './existing.js';
import { ORDERS, SeededOrder } from './orders.generator.js';
import { Random } from './random.js';

const NOW = new Date('2026-11-20T09:30:00.000Z');
const DAY_MS = 24 * 3600 * 1000;
const TWO_YEARS_AGO = NOW.getTime() - 730 * DAY_MS;
const COUNT = 5000;
const PRICES = ['0.00', '0.10', '0.07', '19.99', '9999999999.99'];

/** One more a day. */
const PRODUCTS: ExistingProduct[] = Array.from({ length: 700 }, (_, index) => ({
  id: index + 1,
  name: `Product ${index + 1}`,
  price: PRICES[index % PRICES.length] as string,
  createdMs: TWO_YEARS_AGO + index * DAY_MS,
}));
const USERS = Array.from({ length: 50 }, (_, index) => ({ id: index + 101, createdMs: TWO_YEARS_AGO - 1 }));

const make = (seed: number, products = PRODUCTS): SeededOrder[] => {
  const random = new Random(seed, 'orders');
  return [
    ...ORDERS.rows({ count: COUNT, random, now: NOW, lastId: 0, existing: { products, users: USERS } }),
  ];
};

describe('the orders generator', () => {
  const orders = make(1);

  it('makes as many as asked for, the same from the same seed', () => {
    expect(orders).toHaveLength(COUNT);
    expect(make(1)).toEqual(orders);
    expect(make(2)).not.toEqual(orders);
  });

  it('adds up to the cent', () => {
    for (const { total, items } of orders) {
      const sum = items.reduce(
        (all, { unitPrice, quantity }) => all.plus(Big(unitPrice).times(quantity)),
        Big(0),
      );
      expect(total).toBe(sum.toNumber());
    }
  });

  it('has one to five lines of different products, as they are named and priced', () => {
    expect(new Set(orders.map(({ items }) => items.length))).toEqual(new Set([1, 2, 3, 4, 5]));
    for (const { userId, createdAt, items } of orders) {
      expect(new Set(items.map(({ productId }) => productId)).size).toBe(items.length);
      for (const item of items) {
        const product = PRODUCTS[item.productId! - 1]!;
        expect(item).toMatchObject({
          userId,
          productName: product.name,
          unitPrice: Number(product.price),
          createdAt,
        });
        expect(product.createdMs).toBeLessThanOrEqual(createdAt.getTime());
        expect(item.quantity).toBeGreaterThanOrEqual(1);
      }
    }
  });

  it('has as many lines at most as there are products', () => {
    for (const { items } of make(1, PRODUCTS.slice(0, 2))) expect(items.length).toBeLessThanOrEqual(2);
  });

  it('spreads over the users and the past two years, older ones first', () => {
    expect(new Set(orders.map(({ userId }) => userId)).size).toBe(USERS.length);
    const times = orders.map(({ createdAt }) => createdAt.getTime());
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    expect(times[0]).toBeGreaterThanOrEqual(TWO_YEARS_AGO);
    expect(times.at(-1)).toBeLessThanOrEqual(NOW.getTime());
    expect(times.filter((time) => time < TWO_YEARS_AGO + 365 * DAY_MS)).toHaveLength(COUNT / 2);
  });

  it('delivered most of them, and has every status', () => {
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(ORDER_STATUSES));
    expect(orders.filter(({ status }) => status === 'delivered').length).toBeGreaterThan(COUNT * 0.8);
  });

  it('counts each change of the status in the version, and dates it', () => {
    const versions = { pending: [1], paid: [2], shipped: [3], delivered: [4], cancelled: [2, 3] };
    for (const { status, version, createdAt, updatedAt } of orders) {
      expect(versions[status]).toContain(version);
      expect(updatedAt.getTime()).toBeGreaterThanOrEqual(createdAt.getTime());
      expect(updatedAt.getTime()).toBeLessThanOrEqual(NOW.getTime());
      if (version === 1) expect(updatedAt).toEqual(createdAt);
    }
  });
});
