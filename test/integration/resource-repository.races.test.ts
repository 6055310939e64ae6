import { Client } from 'pg';

import { EVERYTHING } from '../../packages/core/src/access/access-scope.js';
import { SqlExecutor } from '../../packages/core/src/database/sql-executor.js';
import { Database } from '../../packages/core/src/database/database.js';
import { UNCONDITIONAL, WritePreconditions } from '../../packages/core/src/http/caching/preconditions.js';
import { Product } from '../../src/products/product.entity.js';
import { countsOf, openRepositories, outcome, Repositories } from '../support/repositories.js';

const ofVersion = (...versions: number[]): WritePreconditions => ({ ...UNCONDITIONAL, versions });

describe('a repository with concurrent writers', () => {
  let repositories: Repositories;
  let database: Database;
  let products: Repositories['products'];
  let other: Client;

  beforeAll(async () => {
    repositories = await openRepositories();
    ({ database, products, other } = repositories);
  });
  afterAll(() => repositories.close());

  const insert = (): Promise<Product> =>
    products.insert({ name: 'Oak shelf', price: 10, category: 'shelves' });

  /** Waits until a statement of the repository waits for a lock that `other` holds. */
  async function untilBlocked(): Promise<void> {
    const text = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    while ((await other.query(text)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** The members of a connection that writes of a repository do not use. */
  const unused = {
    manager: undefined as never,
    afterCommit: () => undefined,
  };

  /** The pool, but each interruption runs before one of the statements that only read. */
  function interrupted(...interruptions: (() => Promise<unknown>)[]): SqlExecutor {
    return {
      ...unused,
      query: async (statement) => {
        if (statement.text.startsWith('select')) await interruptions.shift()?.();
        return database.query(statement);
      },
      transaction: (work) => work(interrupted(...interruptions)),
    };
  }

  describe('several writes of one row', () => {
    it('all have an outcome, and end with the deletion of the row', async () => {
      const { id } = await insert();
      const writes = Array.from({ length: 20 }, (_, i) =>
        outcome(products.update(id, { price: i + 100 }, EVERYTHING)),
      );
      const removal = outcome(products.remove(id, EVERYTHING));
      expect(await removal).toBe('done');
      const outcomes = Object.keys(countsOf(await Promise.all(writes)));
      expect(outcomes.filter((each) => each !== 'done' && each !== 'PRODUCT_NOT_FOUND')).toEqual([]);
      expect(await products.find(id, EVERYTHING)).toBeNull();
    });

    it.each([
      ['commit', 'PRECONDITION_FAILED'],
      ['rollback', 'done'],
    ])('are decided after the one that they wait for has ended in %s', async (end, expected) => {
      const update = await insert();
      const removal = await insert();
      for (const [{ id }, write] of [
        [update, () => products.update(update.id, { price: 12 }, EVERYTHING, ofVersion(1))],
        [removal, () => products.remove(removal.id, EVERYTHING, ofVersion(1))],
      ] as const) {
        await other.query('begin');
        await other.query('update products set price = 11, version = version + 1 where id = $1', [id]);
        const waiting = outcome(write());
        await untilBlocked();
        await other.query(end);
        expect(await waiting).toBe(expected);
      }
    });

    it('include deletions that fail their conditions, which wait for nobody', async () => {
      const { id } = await insert();
      await other.query('begin');
      await other.query('select from products where id = $1 for update', [id]);
      expect(await outcome(products.remove(id, EVERYTHING, ofVersion(2)))).toBe('PRECONDITION_FAILED');
      await other.query('rollback');
    });

    it('find no row after waiting for its deletion', async () => {
      const { id } = await insert();
      await other.query('begin');
      await other.query('delete from products where id = $1', [id]);
      const waiting = outcome(products.update(id, { price: 12 }, EVERYTHING, ofVersion(1)));
      await untilBlocked();
      await other.query('commit');
      expect(await waiting).toBe('PRODUCT_NOT_FOUND');
    });
  });

  describe('a change between the statements of a write', () => {
    const set = (id: number, price: number) => (): Promise<unknown> =>
      other.query('update products set price = $2, version = version + 1 where id = $1', [id, price]);

    it('does not suppress the write', async () => {
      const { id } = await insert();
      const changed = await products.update(
        id,
        { price: 10 },
        EVERYTHING,
        UNCONDITIONAL,
        interrupted(set(id, 11)),
      );
      expect([changed.price, changed.version]).toEqual([10, 3]);
    });

    it('makes the write fail if its version has changed', async () => {
      const { id } = await insert();
      const write = products.update(id, { price: 10 }, EVERYTHING, ofVersion(1), interrupted(set(id, 11)));
      expect(await outcome(write)).toBe('PRECONDITION_FAILED');
    });

    it('lets a deletion succeed that requires the new version', async () => {
      const { id } = await insert();
      await products.remove(id, EVERYTHING, ofVersion(2), interrupted(set(id, 11)));
      expect(await products.find(id, EVERYTHING)).toBeNull();
    });

    it('may delete the row, so that the write finds none', async () => {
      const { id } = await insert();
      const gone = (): Promise<unknown> => other.query('delete from products where id = $1', [id]);
      const write = products.update(id, { price: 10 }, EVERYTHING, UNCONDITIONAL, interrupted(gone));
      expect(await outcome(write)).toBe('PRODUCT_NOT_FOUND');
    });

    it('cannot repeat the write for ever', async () => {
      const { id } = await insert();
      const back = set(id, 10);
      // The row has another price at each read, and the written price at each write.
      const always: SqlExecutor = {
        ...unused,
        query: async (statement) => {
          if (statement.text.includes('update "products"')) await back();
          else await set(id, 11)();
          return database.query(statement);
        },
        transaction: (work) => work(always),
      };
      expect(await outcome(products.update(id, { price: 10 }, EVERYTHING, UNCONDITIONAL, always))).toContain(
        '20 attempts',
      );
    });
  });
});
