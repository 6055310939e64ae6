import { Client } from 'pg';

import { EVERYTHING } from '../../packages/core/src/access/access-scope.js';
import { SqlExecutor } from '../../packages/core/src/database/sql-executor.js';
import { Database } from '../../packages/core/src/database/database.js';
import { UNCONDITIONAL, WritePreconditions } from '../../packages/core/src/http/caching/preconditions.js';
import { Product } from '../../src/products/product.entity.js';
import { countsOf, openRepositories, outcome, Repositories } from '../support/repositories.js';

const ofVersion = (...versions: number[]): WritePreconditions => ({ ...UNCONDITIONAL, versions });

describe('a repository, of which others write too', () => {
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

  /** What the writes of a repository do not use of a connection. */
  const unused = {
    manager: undefined as never,
    afterCommit: () => undefined,
  };

  /** The pool, but somebody comes between the statements of a write: before the first ones that only read. */
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

  describe('writers at the same time', () => {
    it('without conditions: a removal ends it, and every update before it is answered', async () => {
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
    ])('who waits for one that ends in %s is decided after it', async (end, expected) => {
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

    it('a removal whose conditions fail waits for nobody', async () => {
      const { id } = await insert();
      await other.query('begin');
      await other.query('select from products where id = $1 for update', [id]);
      expect(await outcome(products.remove(id, EVERYTHING, ofVersion(2)))).toBe('PRECONDITION_FAILED');
      await other.query('rollback');
    });

    it('who waits for a removal finds nothing', async () => {
      const { id } = await insert();
      await other.query('begin');
      await other.query('delete from products where id = $1', [id]);
      const waiting = outcome(products.update(id, { price: 12 }, EVERYTHING, ofVersion(1)));
      await untilBlocked();
      await other.query('commit');
      expect(await waiting).toBe('PRODUCT_NOT_FOUND');
    });
  });

  describe('somebody who comes between the statements of a write', () => {
    const set = (id: number, price: number) => (): Promise<unknown> =>
      other.query('update products set price = $2, version = version + 1 where id = $1', [id, price]);

    it('does not make it forget what it was asked to write', async () => {
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

    it('makes it fail where its version is gone', async () => {
      const { id } = await insert();
      const write = products.update(id, { price: 10 }, EVERYTHING, ofVersion(1), interrupted(set(id, 11)));
      expect(await outcome(write)).toBe('PRECONDITION_FAILED');
    });

    it('may bring the version that a removal waits for', async () => {
      const { id } = await insert();
      await products.remove(id, EVERYTHING, ofVersion(2), interrupted(set(id, 11)));
      expect(await products.find(id, EVERYTHING)).toBeNull();
    });

    it('may remove the row', async () => {
      const { id } = await insert();
      const gone = (): Promise<unknown> => other.query('delete from products where id = $1', [id]);
      const write = products.update(id, { price: 10 }, EVERYTHING, UNCONDITIONAL, interrupted(gone));
      expect(await outcome(write)).toBe('PRODUCT_NOT_FOUND');
    });

    it('cannot hold it up for ever', async () => {
      const { id } = await insert();
      const back = set(id, 10);
      // Each time it looks it is another price, and each time it writes it is the one asked for.
      const always: SqlExecutor = {
        ...unused,
        query: async (statement) => {
          if (statement.text.startsWith('update')) await back();
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
