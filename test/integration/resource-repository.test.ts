import fc from 'fast-check';
import { Client } from 'pg';

import { EVERYTHING } from '../../packages/core/src/access/visibility.js';
import { Statement } from '../../packages/core/src/database/connection.js';
import { violatedConstraint } from '../../packages/core/src/database/database-error.js';
import { Database } from '../../packages/core/src/database/database.js';
import {
  failedPrecondition,
  Preconditions,
  UNCONDITIONAL,
} from '../../packages/core/src/http/caching/preconditions.js';
import { CursorCodec } from '../../packages/core/src/lists/cursor.js';
import { readListQuery } from '../../packages/core/src/lists/list-query.js';
import { productList } from '../../src/products/product.resource.js';
import { Product } from '../../src/products/product.entity.js';
import { ProductsRepository } from '../../src/products/products.repository.js';
import { UsersRepository } from '../../src/users/users.repository.js';
import { countsOf, openRepositories, outcome, Repositories } from '../support/repositories.js';

const SECRET = 'a-secret-of-the-tests-of-32-bytes-or-more';
const VALUES = { name: 'Oak shelf', price: 10, category: 'shelves' };

const ofVersion = (...versions: number[]): Preconditions => ({ ...UNCONDITIONAL, versions });

describe('a repository', () => {
  let repositories: Repositories;
  let database: Database;
  let products: ProductsRepository;
  let users: UsersRepository;
  let other: Client;

  beforeAll(async () => {
    repositories = await openRepositories();
    ({ database, products, users, other } = repositories);
  });
  afterAll(() => repositories.close());

  const insert = (values: Partial<Product> = {}): Promise<Product> =>
    products.insert({ ...VALUES, ...values });

  describe('a change of nothing', () => {
    it.each<[string, Partial<Product>]>([
      ['no property', {}],
      ['the same text', { name: 'Oak shelf' }],
      ['the same amount', { price: 0.1 }],
      ['null again', { description: null }],
      ['all of it', { name: 'Oak shelf', price: 0.1, category: 'shelves', inStock: true, description: null }],
    ])('keeps version and time: %s', async (_, changes) => {
      const row = await insert({ price: 0.1 });
      expect(await products.update(row.id, changes, EVERYTHING)).toEqual(row);
      expect(await products.update(row.id, changes, EVERYTHING, ofVersion(1))).toEqual(row);
      expect(await outcome(products.update(row.id, changes, EVERYTHING, ofVersion(2)))).toBe(
        'PRECONDITION_FAILED',
      );
      expect(await products.get(row.id, EVERYTHING)).toEqual(row);
    });

    it.each<[string, Partial<Product>]>([
      ['null to a value', { description: '' }],
      ['a value to null', { category: null }],
      ['another case', { name: 'oak shelf' }],
      ['another composition of characters', { name: 'Oak she\u0301lf' }],
      ['a cent', { price: 10.01 }],
      ['one of many', { name: 'Oak shelf', price: 10, inStock: false }],
    ])('is not: %s', async (_, changes) => {
      const row = await insert();
      const changed = await products.update(row.id, changes, EVERYTHING);
      expect(changed).toEqual({ ...row, ...changes, version: 2, updatedAt: expect.any(String) });
      expect(changed.updatedAt >= row.updatedAt).toBe(true);
    });

    it('never takes the time back', async () => {
      const { id } = await insert();
      await other.query(`update products set updated_at = '2126-01-01' where id = $1`, [id]);
      expect((await products.update(id, { price: 1 }, EVERYTHING)).updatedAt).toBe(
        '2126-01-01T00:00:00.000Z',
      );
    });
  });

  describe('a row that is not there', () => {
    it('is not found by any write, whatever its conditions', async () => {
      const { id } = await insert();
      await products.remove(id, EVERYTHING);
      for (const conditions of [UNCONDITIONAL, ofVersion(1), { ...UNCONDITIONAL, noneOf: '*' } as const]) {
        const outcomes = [
          outcome(products.update(id, { price: 1 }, EVERYTHING, conditions)),
          outcome(products.update(id, {}, EVERYTHING, conditions)),
          outcome(products.remove(id, EVERYTHING, conditions)),
        ];
        expect(await Promise.all(outcomes)).toEqual(Array(3).fill('PRODUCT_NOT_FOUND'));
      }
      expect(await outcome(products.get(id, EVERYTHING))).toBe('PRODUCT_NOT_FOUND');
      expect(await products.find(id, EVERYTHING)).toBeNull();
    });
  });

  describe('conditions', () => {
    const version = fc.integer({ min: 1, max: 4 });
    const conditions: fc.Arbitrary<Preconditions> = fc.record({
      versions: fc.option(fc.array(version, { maxLength: 3 })),
      unmodifiedSince: fc.option(fc.constantFrom(-1000, 0, 1000).map((ms) => Date.UTC(2026, 0, 1) + ms)),
      noneOf: fc.option(
        fc.oneof(fc.constant('*' as const), fc.array(version, { minLength: 1, maxLength: 3 })),
      ),
    });

    it('mean the same in the statement that writes and in the function that decides', async () => {
      const { id } = await insert();
      const text = 'update products set version = $2, updated_at = $3, price = 10 where id = $1';
      // Without the trigger that counts versions: the version is set to what it may be already.
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

  describe('constraints', () => {
    const user = (email: string): Parameters<UsersRepository['add']>[0] => ({
      email,
      passwordHash: 'x',
      role: 'viewer',
    });

    it('become the error that stands for them, in every case and at the same time', async () => {
      const emails = Array.from({ length: 10 }, (_, i) =>
        i % 2 === 0 ? 'one@example.com' : 'ONE@Example.com',
      );
      const outcomes = await Promise.all(emails.map((email) => outcome(users.add(user(email)))));
      expect(countsOf(outcomes)).toEqual({ done: 1, EMAIL_ALREADY_EXISTS: 9 });
    });

    it('do so when a row is changed too', async () => {
      await users.add(user('taken@example.com'));
      const { id } = await users.add(user('free@example.com'));
      expect(await outcome(users.update(id, { email: 'Taken@example.com' }, EVERYTHING))).toBe(
        'EMAIL_ALREADY_EXISTS',
      );
      expect((await users.get(id, EVERYTHING)).email).toBe('free@example.com');
    });

    it('that stand for nothing stay what they are', async () => {
      const error: unknown = await insert({ price: -1 }).catch((reason: unknown) => reason);
      expect(violatedConstraint(error)).toBe('products_price_range');
    });
  });

  describe('reads in a transaction', () => {
    it('see what it wrote, on its connection', async () => {
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
  });

  describe('reads that are joined', () => {
    it('find their rows beside an id that PostgreSQL refuses', async () => {
      const { id } = await insert({});
      const ids = [id, 3_000_000_000, id];
      const found = await Promise.allSettled(ids.map((each) => products.find(each, EVERYTHING)));
      expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    });

    it('see what was written before they were asked, though one that began earlier is on its way', async () => {
      const { id } = await insert({ category: 'joined' });
      const query = readListQuery(productList, 'category=joined', new CursorCodec([SECRET]));
      let arrive: () => void;
      const held = new Promise<void>((resolve) => (arrive = resolve));
      const queries: Statement[] = [];
      // What PostgreSQL answered the first ones is still on its way when the row has changed.
      const slow = new ProductsRepository({
        metadataOf: (entity: never) => database.metadataOf(entity),
        query: async (statement: Statement) => {
          const rows = await database.query(statement);
          if (queries.push(statement) <= 2) await held;
          return rows;
        },
        get reader() {
          return this;
        },
      } as unknown as Database);
      const read = async (): Promise<(number | undefined)[]> => {
        const [row, page] = await Promise.all([slow.get(id, EVERYTHING), slow.list(query)]);
        return [row.price, page.rows[0]?.price];
      };
      const early = read();
      while (queries.length < 2) await new Promise((resolve) => setImmediate(resolve));
      await products.update(id, { price: 11 }, EVERYTHING);
      const late = [read(), read(), read()];
      arrive!();
      expect([await early, ...(await Promise.all(late))]).toEqual([[10, 10], ...Array(3).fill([11, 11])]);
      // One statement for the row, whoever asked, and one for each page.
      expect(queries.filter(({ text }) => text.includes('any('))).toHaveLength(2);
      expect(queries).toHaveLength(6);
    });

    it('fail together, and work again', async () => {
      const broken = new ProductsRepository({
        metadataOf: (entity: never) => database.metadataOf(entity),
        query: () => Promise.reject(new Error('away')),
        get reader() {
          return this;
        },
      } as unknown as Database);
      expect(await Promise.all([1, 2, 1].map((id) => outcome(broken.get(id, EVERYTHING))))).toEqual(
        Array(3).fill('away'),
      );
      expect(await outcome(broken.get(1, EVERYTHING))).toBe('away');
    });
  });
});
