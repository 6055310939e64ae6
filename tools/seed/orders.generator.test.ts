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
    const sumOf = ({ items }: SeededOrder): Big =>
      items.reduce((all, { unitPrice, quantity }) => all.plus(Big(unitPrice).times(quantity)), Big(0));
    expect(orders.filter((order) => order.total !== sumOf(order).toNumber())).toEqual([]);
  });

  it('has one to five lines of different products, as they are named and priced', () => {
    expect(new Set(orders.map(({ items }) => items.length))).toEqual(new Set([1, 2, 3, 4, 5]));
    const isLine = (order: SeededOrder, item: SeededOrder['items'][number]): boolean => {
      const product = PRODUCTS[item.productId! - 1]!;
      return (
        item.userId === order.userId &&
        item.productName === product.name &&
        item.unitPrice === Number(product.price) &&
        +item.createdAt === +order.createdAt &&
        product.createdMs <= order.createdAt.getTime() &&
        item.quantity >= 1
      );
    };
    const isWhole = (order: SeededOrder): boolean =>
      new Set(order.items.map(({ productId }) => productId)).size === order.items.length &&
      order.items.every((item) => isLine(order, item));
    expect(orders.filter((order) => !isWhole(order))).toEqual([]);
  });

  it('has as many lines at most as there are products', () => {
    expect(make(1, PRODUCTS.slice(0, 2)).filter(({ items }) => items.length > 2)).toEqual([]);
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
    const isDated = ({ status, version, createdAt, updatedAt }: SeededOrder): boolean =>
      versions[status].includes(version) &&
      updatedAt >= createdAt &&
      updatedAt <= NOW &&
      (version !== 1 || +updatedAt === +createdAt);
    expect(orders.filter((order) => !isDated(order))).toEqual([]);
  });
});
