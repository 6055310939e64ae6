import { faker } from '@faker-js/faker';
import { type Kind, insertRows } from '@plinth/dev/seed';
import { EntityManager } from 'typeorm';

import { Order, OrderItem } from '../src/orders/order.entity.js';
import { Product } from '../src/products/product.entity.js';
import { Review } from '../src/reviews/review.entity.js';
import { User } from '../src/users/user.entity.js';
import { many, times } from './batch.js';
import { USERS } from './users.js';

/** The rows that orders and reviews refer to. */
interface References {
  readonly products: readonly Pick<Product, 'id' | 'name' | 'price'>[];
  readonly users: readonly Pick<User, 'id'>[];
}

/** The maximum number of products, and of users, that new rows refer to. */
const SAMPLE = 100_000;

async function references(manager: EntityManager): Promise<References> {
  const sample = { order: { id: 'ASC' }, take: SAMPLE } as const;
  const products = await manager.find(Product, { select: { id: true, name: true, price: true }, ...sample });
  const users = await manager.find(User, { select: { id: true }, ...sample });
  if (products.length === 0 || users.length === 0)
    throw new Error(
      'Orders and reviews need products and users. Add some first, for example with --products 100 --users 100.',
    );
  return { products, users };
}

/** Returns a kind of rows that refer to products and users. */
const referring = ({ entities, add }: Omit<Kind<References>, 'prepare'>): Kind<References> => ({
  entities,
  prepare: references,
  add,
});

/** All kinds of rows, in the order of insertion. A kind comes after the kinds that its rows refer to. */
export const KINDS: Readonly<Record<string, Kind>> = {
  products: {
    entities: [Product],
    async add(manager, size, batch) {
      const rows = many(size, (index) => ({
        name: faker.commerce.productName(),
        price: faker.number.int({ min: 100, max: 200_000 }) / 100,
        category: faker.commerce.department().toLowerCase(),
        inStock: faker.datatype.boolean(0.85),
        description:
          faker.helpers.maybe(() => faker.commerce.productDescription(), { probability: 0.8 }) ?? null,
        ...times(batch, index),
      }));
      return (await insertRows(manager, Product, rows)).length;
    },
  },
  users: USERS,
  orders: referring({
    entities: [Order, OrderItem],
    async add(manager, size, batch) {
      const placed = many(size, (index) => {
        const { id: userId } = faker.helpers.arrayElement(batch.prepared.users);
        const chosen = many(faker.number.int({ min: 1, max: 5 }), () =>
          faker.helpers.arrayElement(batch.prepared.products),
        );
        const items = [...new Set(chosen)].map(({ id, name, price }) => ({
          userId,
          productId: id,
          productName: name,
          unitPrice: price,
          quantity: faker.number.int({ min: 1, max: 6 }),
          ...times(batch, index),
        }));
        const cents = items.reduce((sum, item) => sum + Math.round(item.unitPrice * 100) * item.quantity, 0);
        const status = faker.helpers.weightedArrayElement([
          { weight: 80, value: 'delivered' },
          { weight: 5, value: 'shipped' },
          { weight: 5, value: 'paid' },
          { weight: 5, value: 'pending' },
          { weight: 5, value: 'cancelled' },
        ]);
        return { row: { userId, status, total: cents / 100, ...times(batch, index) }, items };
      });
      return manager.transaction(async (on) => {
        const orders = placed.map(({ row }) => row);
        const ids = await insertRows(on, Order, orders);
        const items = placed.flatMap((order, index) =>
          order.items.map((item) => ({ ...item, orderId: ids[index]?.id })),
        );
        await insertRows(on, OrderItem, items);
        return ids.length;
      });
    },
  }),
  reviews: referring({
    entities: [Review, Product],
    async add(manager, size, batch) {
      const rows = many(size, (index) => ({
        productId: faker.helpers.arrayElement(batch.prepared.products).id,
        userId: faker.helpers.arrayElement(batch.prepared.users).id,
        rating: faker.helpers.arrayElement([5, 5, 5, 4, 4, 4, 3, 2, 1]),
        comment: faker.helpers.maybe(() => faker.lorem.sentence(), { probability: 0.7 }) ?? null,
        ...times(batch, index),
      }));
      return (await insertRows(manager, Review, rows)).length;
    },
  }),
};
