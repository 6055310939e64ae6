import { randomBytes } from 'node:crypto';

import { DataSource, EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

// Keys are stored with the permissions that it declares.
import '../../../src/config/access.js';
import { ApiKey } from '../../../src/auth/api-keys/api-key.entity.js';
import { Login } from '../../../src/auth/sessions/login.entity.js';
import { canonicalEmail } from '../../../src/core/fields/email.js';
import { AccessGrant } from '../../../src/core/grants/grant.entity.js';
import { Order, OrderItem } from '../../../src/orders/order.entity.js';
import { Product } from '../../../src/products/product.entity.js';
import { Review } from '../../../src/reviews/review.entity.js';
import { User } from '../../../src/users/user.entity.js';
import * as rows from './demo-rows.js';

/** The tables of the demo data. */
export const DEMO_ENTITIES = [User, Product, Order, OrderItem, Review, ApiKey, Login, AccessGrant] as const;

const USER_IDS = rows.DEMO_USERS.map(({ id }) => id);
const OF_DEMO_USERS = [Order, Review, ApiKey, Login, AccessGrant];

/**
 * Puts the demo data into a database, in one transaction: all of it, or nothing. In a database that has it, what
 * requests have changed of it is put back, and what the demo's users have made since is removed.
 *
 * @param passwordHash of each of the demo's users
 * @throws Error where other rows have the ids that the demo data needs
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
      rows.DEMO_USERS.map((user) => ({ ...user, canonicalEmail: canonicalEmail(user.email), passwordHash })),
      ['id'],
    );
    await on.upsert(Product, rows.DEMO_PRODUCTS, ['id']);
    await on.insert(Order, rows.DEMO_ORDERS);
    await on.insert(OrderItem, rows.DEMO_ORDER_ITEMS);
    await on.insert(Review, rows.DEMO_REVIEWS);
    await on.insert(ApiKey, { ...rows.DEMO_API_KEY, digest: randomBytes(32) });
    await on.insert(Login, rows.DEMO_LOGIN);
    await on.insert(AccessGrant, rows.DEMO_GRANT);
    for (const entity of [User, Product])
      await run(
        `update ${nameOf(entity)} set updated_at = created_at where id = any($1) and updated_at <> created_at`,
        [(entity === User ? rows.DEMO_USERS : rows.DEMO_PRODUCTS).map(({ id }) => id)],
      );
    for (const entity of DEMO_ENTITIES) await run(skipIds(nameOf(entity)));
  });
}

/** Whether the database has the demo data: one of its users at least. */
async function isDemo(on: EntityManager): Promise<boolean> {
  const text =
    'select id from users where (id, canonical_email) in (select * from unnest($1::int[], $2::text[]))';
  const emails = rows.DEMO_USERS.map(({ email }) => canonicalEmail(email));
  return (await on.query<object[]>(text, [USER_IDS, emails])).length > 0;
}

type Run = (text: string, values?: unknown[]) => Promise<{ found: boolean }[]>;

/** A first user, product or log-in, which those have who have tried the service, has a lower id than the demo's. */
async function assertFree(run: Run, nameOf: (entity: EntityTarget<ObjectLiteral>) => string): Promise<void> {
  for (const entity of DEMO_ENTITIES) {
    const table = nameOf(entity);
    const text = `select exists (select from ${table} where id between $1 and $2) as found`;
    const [taken] = await run(text, [rows.FIRST_DEMO_ID, rows.LAST_DEMO_ID]);
    if (taken?.found)
      throw new Error(
        `--demo: ids from ${rows.FIRST_DEMO_ID} to ${rows.LAST_DEMO_ID} of ${table} are taken; ` +
          'name another database: DATABASE_URL, or for the embedded one DATA_DIR=.data-demo, in the start of the service too',
      );
  }
}

/** Rows that are added from now on get ids above those of the demo. */
const skipIds = (table: string): string => {
  const sequence = `pg_get_serial_sequence('${table}', 'id')`;
  return `select setval(${sequence}, greatest(${rows.LAST_DEMO_ID}, nextval(${sequence}) - 1))`;
};
