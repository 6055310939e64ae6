import fc from 'fast-check';
import { Client } from 'pg';

import { EVERYTHING } from '../../packages/core/src/access/access-scope.js';
import { Database } from '../../packages/core/src/database/database.js';
import {
  failedPrecondition,
  WritePreconditions,
  UNCONDITIONAL,
} from '../../packages/core/src/http/caching/preconditions.js';
import { CursorCodec } from '../../packages/core/src/lists/cursor.js';
import { readListQuery } from '../../packages/core/src/lists/list-query.js';
import { productList } from '../../src/products/product.resource.js';
import { Product } from '../../src/products/product.entity.js';
import { openRepositories, outcome, Repositories } from '../support/repositories.js';

const SECRET = 'a-secret-of-the-tests-of-32-bytes-or-more';
const VALUES = { name: 'Oak shelf', price: 10, category: 'shelves' };

describe('a repository', () => {
  let repositories: Repositories;
  let database: Database;
  let products: Repositories['products'];
  let other: Client;

  beforeAll(async () => {
    repositories = await openRepositories();
    ({ database, products, other } = repositories);
  });
  afterAll(() => repositories.close());

  const insert = (values: Partial<Product> = {}): Promise<Product> =>
    products.insert({ ...VALUES, ...values });

  describe('an update', () => {
    it.each<[string, Partial<Product>]>([
      ['a value in place of null', { description: '' }],
      ['null in place of a value', { category: null }],
      ['another case', { name: 'oak shelf' }],
      ['another composition of characters', { name: 'Oak she\u0301lf' }],
      ['a difference of one cent', { price: 10.01 }],
      ['one changed field among equal ones', { name: 'Oak shelf', price: 10, inStock: false }],
    ])('stores %s as a change', async (_, changes) => {
      const row = await insert();
      const changed = await products.update(row.id, changes, EVERYTHING);
      expect(changed).toEqual({ ...row, ...changes, version: 2, updatedAt: expect.any(String) });
      expect(changed.updatedAt >= row.updatedAt).toBe(true);
    });

    it('never sets the time of the change back', async () => {
      const { id } = await insert();
      await other.query(`update products set updated_at = '2126-01-01' where id = $1`, [id]);
      expect((await products.update(id, { price: 1 }, EVERYTHING)).updatedAt).toBe(
        '2126-01-01T00:00:00.000Z',
      );
    });
  });

  describe('conditions', () => {
    const version = fc.integer({ min: 1, max: 4 });
    const conditions: fc.Arbitrary<WritePreconditions> = fc.record({
      versions: fc.option(fc.array(version, { maxLength: 3 })),
      unmodifiedSince: fc.option(fc.constantFrom(-1000, 0, 1000).map((ms) => Date.UTC(2026, 0, 1) + ms)),
      noneOf: fc.option(
        fc.oneof(fc.constant('*' as const), fc.array(version, { minLength: 1, maxLength: 3 })),
      ),
    });

    it('mean the same in the SQL of a write and in the function that evaluates them', async () => {
      const { id } = await insert();
      const text = 'update products set version = $2, updated_at = $3, price = 10 where id = $1';
      // Disables the trigger that counts versions, because the test sets the version itself.
      await other.query('set session_replication_role = replica');
      await fc.assert(
        fc.asyncProperty(version, fc.integer({ min: 0, max: 999 }), conditions, async (now, ms, given) => {
          const updatedAtMs = Date.UTC(2026, 0, 1) + ms;
          await other.query(text, [id, now, new Date(updatedAtMs)]);
          const failed = failedPrecondition(given, { version: now, updatedAtMs });
          const expected = failed ? 'PRECONDITION_FAILED' : 'done';
          expect(await outcome(products.update(id, {}, EVERYTHING, given))).toBe(expected);
          expect(await outcome(products.update(id, { price: 11 }, EVERYTHING, given))).toBe(expected);
          await other.query(text, [id, now, new Date(updatedAtMs)]);
          const removal = database.transaction(async (connection) => {
            await products.remove(id, EVERYTHING, given, connection);
            throw new Error('done');
          });
          expect(await outcome(removal)).toBe(expected);
        }),
        { numRuns: 20 },
      );
      await other.query('reset session_replication_role');
    });
  });

  it.each(['constructor', '__proto__', 'name" = 1; --', 'in_stock'])(
    'refuses to write %s, for which no column is declared',
    async (property) => {
      const { id } = await insert();
      const values = Object.fromEntries([[property, 1]]) as Partial<Product>;
      await expect(insert(values)).rejects.toThrow(`"products" has no column for ${property}`);
      await expect(products.update(id, values, EVERYTHING)).rejects.toThrow(`no column for ${property}`);
    },
  );

  describe('a key with a property', () => {
    const locked = (key: Parameters<typeof products.lock>[0]): Promise<Product> =>
      database.transaction((tx) => products.lock(key, EVERYTHING, tx));

    it.each<[string, string | null, string | null | undefined, string]>([
      ['of null finds a row where it is null', null, null, 'done'],
      ['of null finds no row with a value', 'shelves', null, 'PRODUCT_NOT_FOUND'],
      ['with a value finds no row where it is null', null, 'shelves', 'PRODUCT_NOT_FOUND'],
      ['of undefined finds no row', null, undefined, 'PRODUCT_NOT_FOUND'],
    ])('%s, in reads and writes alike', async (_, category, asked, expected) => {
      const { id } = await insert({ category });
      const key = { id, category: asked as null };
      expect(await outcome(products.get(key, EVERYTHING))).toBe(expected);
      expect(await outcome(locked(key))).toBe(expected);
      expect(await outcome(products.update(key, { price: 3 }, EVERYTHING))).toBe(expected);
      expect(await outcome(products.update(key, { price: 3 }, EVERYTHING))).toBe(expected);
      expect(await outcome(products.remove(key, EVERYTHING))).toBe(expected);
    });
  });

  it('reads in a transaction what the transaction has written, on its connection', async () => {
    const query = readListQuery(productList, 'category=unseen', new CursorCodec([SECRET]));
    const { id } = await insert({ category: 'seen' });
    const outside = jest.spyOn(database, 'query');
    await database.transaction(async (tx) => {
      await products.update(id, { category: 'unseen' }, EVERYTHING, UNCONDITIONAL, tx);
      expect(await products.get(id, EVERYTHING, tx)).toMatchObject({ category: 'unseen' });
      expect(await products.list(query, tx)).toMatchObject({ rows: [{ id }], total: 1 });
    });
    expect(outside).not.toHaveBeenCalled();
    outside.mockRestore();
  });

  it('finds rows in a joined look-up that contains an id which PostgreSQL refuses', async () => {
    const { id } = await insert({});
    const ids = [id, 10 ** 19, id];
    const found = await Promise.allSettled(ids.map((each) => products.find(each, EVERYTHING)));
    expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
