import { randomBytes } from 'node:crypto';

import { type Role, canonicalEmail } from '@plinth/core';
import { AccessGrant, ApiKey, Login } from '@plinth/core/auth';
import { DataSource, EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

// Declares the permissions that the API key of the demo data has.
import '../src/config/access.js';
import { Order, OrderItem } from '../src/orders/order.entity.js';
import { Product } from '../src/products/product.entity.js';
import { Review } from '../src/reviews/review.entity.js';
import { User } from '../src/users/user.entity.js';
import type { OrderStatus } from '../src/orders/order-status.js';

/*
 * The demo data. The examples of the OpenAPI document show its rows with the id 42. A test sends the request of each
 * example to a service with the demo data.
 */

/** The id in the examples of the OpenAPI document. */
const EXAMPLE_ID = 42;

/** The lowest and the highest id that demo rows may have. Rows that are added later get higher ids. */
const FIRST_DEMO_ID = 35;
const LAST_DEMO_ID = 100;

const EXAMPLE_TIME = Date.parse('2026-11-20T09:30:00.000Z');
const DAY_MS = 24 * 3600 * 1000;

/** A row is newer than rows with lower ids. The row with `EXAMPLE_ID` is the newest, so lists begin with it. */
const timesOf = (id: number): { createdAt: string; updatedAt: string } => {
  const daysAgo = id === EXAMPLE_ID ? 0 : LAST_DEMO_ID - id;
  const time = new Date(EXAMPLE_TIME - daysAgo * DAY_MS).toISOString();
  return { createdAt: time, updatedAt: time };
};

const user = (id: number, name: string, role: Role) => ({
  id,
  name,
  role,
  email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
  ...timesOf(id),
});

const [ADA, GRACE, HEDY, ALAN, EDITH] = [42, 43, 44, 45, 46] as const;

export const DEMO_USERS = [
  user(ADA, 'Ada Lovelace', 'viewer'),
  user(GRACE, 'Grace Hopper', 'editor'),
  user(HEDY, 'Hedy Lamarr', 'admin'),
  user(ALAN, 'Alan Turing', 'viewer'),
  user(EDITH, 'Edith Clarke', 'viewer'),
];

interface Item {
  readonly name: string;
  readonly price: number;
  readonly category: string;
  readonly inStock?: boolean;
  readonly description?: string;
}

const product = (id: number, { inStock = true, description, ...item }: Item) => ({
  id,
  ...item,
  inStock,
  description: description ?? null,
  ...timesOf(id),
});

const DEMO_PRODUCTS = [
  product(35, { name: 'Linen tea towel', price: 9.5, category: 'kitchen' }),
  product(36, { name: 'Cast iron casserole', price: 119, category: 'kitchen' }),
  product(37, { name: 'Birch stool', price: 79.9, category: 'furniture' }),
  product(38, { name: 'Ash coffee table', price: 249, category: 'furniture' }),
  product(39, { name: 'Velvet armchair', price: 499, category: 'furniture', inStock: false }),
  product(40, { name: 'Glass wall light', price: 64.5, category: 'lighting' }),
  product(41, { name: 'Oak bookshelf', price: 329, category: 'furniture' }),
  product(EXAMPLE_ID, {
    name: 'Walnut desk lamp',
    price: 49.9,
    category: 'lighting',
    description: 'Turned from one block, with a linen shade.',
  }),
  product(43, { name: 'Brass floor lamp', price: 129, category: 'lighting' }),
  product(44, { name: 'Copper pendant light', price: 189, category: 'lighting' }),
];

interface Line {
  readonly id: number;
  readonly productId: number;
  readonly quantity: number;
}

/**
 * Returns an order and its items, with the prices of the products. The total is added up in cents, because sums of binary
 * fractions are inexact.
 */
function order(id: number, userId: number, status: OrderStatus, lines: readonly Line[]) {
  const items = lines.map((line) => {
    const { name, price } = DEMO_PRODUCTS.find((one) => one.id === line.productId) as Item;
    return { ...line, orderId: id, userId, productName: name, unitPrice: price, ...timesOf(line.id) };
  });
  const cents = items.reduce(
    (sum, { unitPrice, quantity }) => sum + Math.round(unitPrice * 100) * quantity,
    0,
  );
  return { row: { id, userId, status, total: cents / 100, ...timesOf(id) }, items };
}

const ORDERS = [
  order(37, ALAN, 'delivered', [{ id: 35, productId: 42, quantity: 1 }]),
  order(38, ADA, 'cancelled', [{ id: 36, productId: 39, quantity: 1 }]),
  order(39, ADA, 'delivered', [
    { id: 37, productId: 36, quantity: 1 },
    { id: 38, productId: 35, quantity: 4 },
  ]),
  order(40, ADA, 'shipped', [
    { id: 39, productId: 41, quantity: 1 },
    { id: 40, productId: 37, quantity: 2 },
  ]),
  order(41, ADA, 'paid', [{ id: 41, productId: 40, quantity: 2 }]),
  order(EXAMPLE_ID, ADA, 'pending', [{ id: EXAMPLE_ID, productId: EXAMPLE_ID, quantity: 2 }]),
];

const DEMO_ORDERS = ORDERS.map(({ row }) => row);
const DEMO_ORDER_ITEMS = ORDERS.flatMap(({ items }) => items);

const review = (id: number, productId: number, userId: number, rating: number, comment: string | null) => ({
  id,
  productId,
  userId,
  rating,
  comment,
  ...timesOf(id),
});

const DEMO_REVIEWS = [
  review(37, 36, ADA, 5, 'Heavy, and worth it.'),
  review(38, 41, ADA, 3, 'One board was scratched; the spare came in two days.'),
  review(39, 42, EDITH, 4, null),
  review(40, 42, ALAN, 4, 'The switch is on the cord.'),
  review(41, 42, HEDY, 5, 'A lamp for a lifetime.'),
  review(EXAMPLE_ID, 42, GRACE, 4, 'Warm light, heavy foot.'),
];

/** Ada’s API key. Nobody can use it, because its digest is random. */
const DEMO_API_KEY = {
  id: EXAMPLE_ID,
  userId: ADA,
  name: 'Nightly export',
  permissions: ['read' as const],
  hint: 'pX3_aQ',
  lastUsedAt: new Date(EXAMPLE_TIME).toISOString(),
  ...timesOf(EXAMPLE_ID),
};

/** One of Ada’s logins. It issued no session and no tokens, and never expires. */
const DEMO_LOGIN = {
  id: EXAMPLE_ID,
  userId: ADA,
  userAgent: 'Mozilla/5.0',
  address: '192.0.2.7',
  lastSeenAt: new Date(EXAMPLE_TIME).toISOString(),
  expiresAt: '2999-12-31T00:00:00.000Z',
  ...timesOf(EXAMPLE_ID),
};

/** Hides one product from Ada. */
const DEMO_GRANT = {
  id: EXAMPLE_ID,
  resourceType: 'product' as const,
  resourceId: 44,
  userId: ADA,
  apiKeyId: null,
  permissions: ['read' as const],
  effect: 'deny' as const,
  ...timesOf(EXAMPLE_ID),
};

/** The tables of the demo data. */
export const DEMO_ENTITIES = [User, Product, Order, OrderItem, Review, ApiKey, Login, AccessGrant] as const;

const USER_IDS = DEMO_USERS.map(({ id }) => id);
/** The entities whose rows of demo users are deleted first, because requests may have added or changed some. */
const OF_DEMO_USERS = [Order, Review, ApiKey, Login, AccessGrant];

/**
 * Adds the demo data to a database in one transaction. If the database already has the demo data, restores the rows that
 * requests have changed, and deletes all other orders, reviews, API keys, logins and grants of the demo users.
 *
 * @param passwordHash the hash of the password of each demo user
 * @throws Error if the database has no demo data, but rows with ids in the range of the demo data
 */
export function seedDemo(dataSource: DataSource, passwordHash: string): Promise<void> {
  return dataSource.transaction(async (on) => {
    const nameOf = (entity: EntityTarget<ObjectLiteral>): string => dataSource.getMetadata(entity).tableName;
    const run = (text: string, values: unknown[] = []) => on.query<{ found: boolean }[]>(text, values);
    if (!(await isDemo(on))) await assertFree(run, nameOf);
    for (const entity of OF_DEMO_USERS)
      await run(`delete from ${nameOf(entity)} where user_id = any($1)`, [USER_IDS]);
    await on.upsert(
      User,
      DEMO_USERS.map((user) => ({ ...user, canonicalEmail: canonicalEmail(user.email), passwordHash })),
      ['id'],
    );
    await on.upsert(Product, DEMO_PRODUCTS, ['id']);
    await on.insert(Order, DEMO_ORDERS);
    await on.insert(OrderItem, DEMO_ORDER_ITEMS);
    await on.insert(Review, DEMO_REVIEWS);
    await on.insert(ApiKey, { ...DEMO_API_KEY, digest: randomBytes(32) });
    await on.insert(Login, DEMO_LOGIN);
    await on.insert(AccessGrant, DEMO_GRANT);
    // Resets `updated_at`, which the version trigger has changed for each row that existed.
    for (const entity of [User, Product])
      await run(
        `update ${nameOf(entity)} set updated_at = created_at where id = any($1) and updated_at <> created_at`,
        [(entity === User ? DEMO_USERS : DEMO_PRODUCTS).map(({ id }) => id)],
      );
    for (const entity of DEMO_ENTITIES) await run(skipIds(nameOf(entity)));
  });
}

/** Whether the database already has demo data: at least one demo user with the same id and e-mail. */
async function isDemo(on: EntityManager): Promise<boolean> {
  const text =
    'select id from users where (id, canonical_email) in (select * from unnest($1::bigint[], $2::text[]))';
  const emails = DEMO_USERS.map(({ email }) => canonicalEmail(email));
  return (await on.query<object[]>(text, [USER_IDS, emails])).length > 0;
}

type Run = (text: string, values?: unknown[]) => Promise<{ found: boolean }[]>;

/**
 * Asserts that no row has an id in the range of the demo data. The range does not begin at 1, so a few rows that somebody
 * has added to try out the service do not conflict.
 *
 * @throws Error
 */
async function assertFree(run: Run, nameOf: (entity: EntityTarget<ObjectLiteral>) => string): Promise<void> {
  for (const entity of DEMO_ENTITIES) {
    const table = nameOf(entity);
    const text = `select exists (select from ${table} where id between $1 and $2) as found`;
    const [taken] = await run(text, [FIRST_DEMO_ID, LAST_DEMO_ID]);
    if (taken?.found)
      throw new Error(
        `--demo needs the ids from ${FIRST_DEMO_ID} to ${LAST_DEMO_ID} of ${table}, but other rows have some of these ids. ` +
          'Use another database for this command and for the service: set DATABASE_URL, or DATA_DIR=.data-demo for an embedded one.',
      );
  }
}

/** Returns SQL that moves the id sequence of a table past the ids of the demo data. */
const skipIds = (table: string): string => {
  const sequence = `pg_get_serial_sequence('${table}', 'id')`;
  return `select setval(${sequence}, greatest(${LAST_DEMO_ID}, nextval(${sequence}) - 1))`;
};
