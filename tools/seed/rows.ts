import { faker } from '@faker-js/faker';
import { canonicalEmail } from '@plinth/core';
import { EntityManager } from 'typeorm';

import { Order, OrderItem } from '../../src/orders/order.entity.js';
import { Product } from '../../src/products/product.entity.js';
import { Review } from '../../src/reviews/review.entity.js';
import { User } from '../../src/users/user.entity.js';

/** What the rows of one kind are made from. */
export interface Input {
  /** How many rows of the run were made before, and how many it makes in all. */
  readonly made: number;
  readonly count: number;
  /** The highest id of the table before the run. */
  readonly lastId: number;
  readonly passwordHash: string;
  readonly products: readonly Pick<Product, 'id' | 'name' | 'price'>[];
  readonly users: readonly Pick<User, 'id'>[];
}

/** One kind of rows. */
export interface Kind {
  readonly entities: readonly (new () => object)[];
  /** Whether its rows refer to products and users. */
  readonly refers: boolean;
  /** Adds up to `size` rows, and tells how many were added. */
  add(manager: EntityManager, size: number, input: Input): Promise<number>;
}

const SPAN_MS = 2 * 365 * 24 * 3600 * 1000;

/** Times of the past two years, the oldest first. */
function times({ made, count }: Input, index: number): { createdAt: string; updatedAt: string } {
  const createdAt = new Date(Date.now() - SPAN_MS * (1 - (made + index + 0.5) / count)).toISOString();
  return { createdAt, updatedAt: createdAt };
}

const many = <Row>(size: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: size }, (_, index) => row(index));

/** One statement, past TypeORM's own; rows that break a unique constraint are passed over. @returns what was added */
function insert(
  manager: EntityManager,
  entity: new () => object,
  rows: readonly object[],
): Promise<{ id: number }[]> {
  const { tableName, columns } = manager.dataSource.getMetadata(entity);
  const given = columns.filter(({ propertyName }) => propertyName in (rows[0] ?? {}));
  const names = given.map(({ databaseName }) => databaseName).join(', ');
  const values = rows.map((row) =>
    Object.fromEntries(
      given.map((column) => [column.databaseName, (row as Record<string, unknown>)[column.propertyName]]),
    ),
  );
  const text = `insert into ${tableName} (${names})
    select ${names} from json_populate_recordset(null::${tableName}, $1) on conflict do nothing returning id`;
  return manager.query(text, [JSON.stringify(values)]);
}

/** All kinds, in the order in which they are added: rows that others refer to come first. */
export const KINDS: Readonly<Record<'products' | 'users' | 'orders' | 'reviews', Kind>> = {
  products: {
    entities: [Product],
    refers: false,
    async add(manager, size, input) {
      const rows = many(size, (index) => ({
        name: faker.commerce.productName(),
        price: faker.number.int({ min: 100, max: 200_000 }) / 100,
        category: faker.commerce.department().toLowerCase(),
        inStock: faker.datatype.boolean(0.85),
        description:
          faker.helpers.maybe(() => faker.commerce.productDescription(), { probability: 0.8 }) ?? null,
        ...times(input, index),
      }));
      return (await insert(manager, Product, rows)).length;
    },
  },
  users: {
    entities: [User],
    refers: false,
    async add(manager, size, input) {
      const rows = many(size, (index) => {
        const [first, last] = [faker.person.firstName(), faker.person.lastName()];
        const number = input.lastId + input.made + index + 1;
        const email = `${first}.${last}.${number}@example.com`.toLowerCase().replaceAll(/[^a-z0-9.@]/g, '');
        return {
          name: `${first} ${last}`,
          email,
          canonicalEmail: canonicalEmail(email),
          passwordHash: input.passwordHash,
          role: faker.helpers.weightedArrayElement([
            { weight: 19, value: 'viewer' },
            { weight: 1, value: 'editor' },
          ]),
          ...times(input, index),
        };
      });
      return (await insert(manager, User, rows)).length;
    },
  },
  orders: {
    entities: [Order, OrderItem],
    refers: true,
    async add(manager, size, input) {
      const placed = many(size, (index) => {
        const { id: userId } = faker.helpers.arrayElement(input.users);
        const chosen = many(faker.number.int({ min: 1, max: 5 }), () =>
          faker.helpers.arrayElement(input.products),
        );
        const items = [...new Set(chosen)].map(({ id, name, price }) => ({
          userId,
          productId: id,
          productName: name,
          unitPrice: price,
          quantity: faker.number.int({ min: 1, max: 6 }),
          ...times(input, index),
        }));
        const cents = items.reduce((sum, item) => sum + Math.round(item.unitPrice * 100) * item.quantity, 0);
        const status = faker.helpers.weightedArrayElement([
          { weight: 80, value: 'delivered' },
          { weight: 5, value: 'shipped' },
          { weight: 5, value: 'paid' },
          { weight: 5, value: 'pending' },
          { weight: 5, value: 'cancelled' },
        ]);
        return { row: { userId, status, total: cents / 100, ...times(input, index) }, items };
      });
      return manager.transaction(async (on) => {
        const orders = placed.map(({ row }) => row);
        const ids = await insert(on, Order, orders);
        const items = placed.flatMap((order, index) =>
          order.items.map((item) => ({ ...item, orderId: ids[index]?.id })),
        );
        await insert(on, OrderItem, items);
        return ids.length;
      });
    },
  },
  reviews: {
    entities: [Review, Product],
    refers: true,
    async add(manager, size, input) {
      const rows = many(size, (index) => ({
        productId: faker.helpers.arrayElement(input.products).id,
        userId: faker.helpers.arrayElement(input.users).id,
        rating: faker.helpers.arrayElement([5, 5, 5, 4, 4, 4, 3, 2, 1]),
        comment: faker.helpers.maybe(() => faker.lorem.sentence(), { probability: 0.7 }) ?? null,
        ...times(input, index),
      }));
      return (await insert(manager, Review, rows)).length;
    },
  },
};
