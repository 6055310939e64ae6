import fc from 'fast-check';
import { Client } from 'pg';

import { areInsertsIndependent } from '../../src/database/batched-inserts.js';
import { violatedConstraint } from '../../src/database/database-error.js';
import { Product } from '../../src/products/product.entity.js';
import { ProductsRepository } from '../../src/products/products.repository.js';
import { declarationsIn } from '../../tools/migrations/scratch.js';
import { eventually } from '../support/eventually.js';
import { openDatabase } from '../support/open-database.js';
import { createDatabase } from '../support/databases.js';
import { openRepositories, Repositories } from '../support/repositories.js';

const VALUES = { name: 'Oak shelf', price: 10, category: 'shelves' };

describe('rows that are stored at once', () => {
  let repositories: Repositories;
  let products: ProductsRepository;
  let other: Client;
  let texts: string[];

  beforeAll(async () => {
    repositories = await openRepositories();
    ({ products, other } = repositories);
    repositories.database.pool.observer = {
      begin: ({ text }) => {
        texts.push(text);
        return () => undefined;
      },
    };
  });
  afterAll(() => repositories.close());
  beforeEach(async () => {
    await other.query('delete from products');
    texts = [];
  });

  const inserted = (): string[] => texts.filter((text) => text.startsWith('insert into "products"'));
  const stored = async (): Promise<number> => {
    const { rows } = await other.query<{ n: number }>('select count(*)::int as n from products');
    return rows[0]?.n ?? 0;
  };

  it('are stored by one statement, and each caller gets its own row', async () => {
    const values = fc.record({
      name: fc.oneof(
        fc.string({ minLength: 1, maxLength: 20 }),
        fc.constantFrom('{"\\', 'NULL', 'a,b', "it's"),
      ),
      price: fc.integer({ min: 0, max: 999_999_999_999 }).map((cents) => cents / 100),
      category: fc.option(fc.constantFrom('', 'null', 'shelves', '{}')),
      inStock: fc.boolean(),
      description: fc.option(fc.string({ unit: 'binary' })),
    });
    const storable = (text: string | null): boolean =>
      text?.isWellFormed() !== false && !text?.includes('\0');
    const row = values.filter(({ name, description }) => storable(name) && storable(description));
    const rows = fc.array(row, { minLength: 2, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        texts = [];
        const found = await Promise.all(all.map((each) => products.insert(each)));
        expect(inserted()).toHaveLength(1);
        expect(found).toEqual(all.map((each) => expect.objectContaining({ ...each, version: 1 })));
        const read = await Promise.all(found.map(({ id }) => products.get(id)));
        expect(read).toEqual(found);
      }),
      { numRuns: 25 },
    );
  });

  it('are as many as were asked for, however equal, and wait for no later ones', async () => {
    const same = await Promise.all(Array.from({ length: 250 }, () => products.insert(VALUES)));
    expect(new Set(same.map(({ id }) => id)).size).toBe(250);
    // At most 100 rows a statement.
    expect(inserted()).toHaveLength(3);
    expect(await stored()).toBe(250);
    texts = [];
    await products.insert(VALUES);
    expect(inserted()[0]).toContain('values ($1, $2, $3)');
  });

  it('go with those that have the same columns', async () => {
    const short = { name: 'Oak shelf', price: 10 };
    const found = await Promise.all([VALUES, short, VALUES, short].map((values) => products.insert(values)));
    expect(found.map(({ category }) => category)).toEqual(['shelves', null, 'shelves', null]);
    expect(inserted()).toHaveLength(2);
  });

  it('are stored alone where PostgreSQL refuses one of them', async () => {
    const prices = [1, -1, 2, 'much' as unknown as number, 3];
    const outcomes = await Promise.allSettled(prices.map((price) => products.insert({ ...VALUES, price })));
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    const [, negative, , word] = outcomes as PromiseRejectedResult[];
    expect(violatedConstraint(negative?.reason)).toBe('products_price_range');
    expect(word?.reason).toMatchObject({ code: '22P02' });
    expect(await stored()).toBe(3);
  });

  it('fail together where the connection is lost, and are not stored again', async () => {
    await other.query('begin; lock table products in access exclusive mode');
    const outcomes = Promise.allSettled([1, 2, 3].map((price) => products.insert({ ...VALUES, price })));
    const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await eventually(async () => (await other.query(waiting)).rowCount, 1, 10_000);
    await other.query(`select pg_terminate_backend(pid) from (${waiting}) as waiting`);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await other.query('commit');
    expect(await stored()).toBe(0);
    expect(inserted()).toHaveLength(1);
  });

  it('are no batch in a transaction, nor with ids of their own', async () => {
    await repositories.database.transaction(async (tx) => {
      await products.insert(VALUES, tx);
      await products.insert(VALUES, tx);
    });
    const ids = [1_000_002, 1_000_001];
    const found = await Promise.all(ids.map((id) => products.insert({ ...VALUES, id })));
    expect(found.map(({ id }) => id)).toEqual(ids);
    expect(inserted()).toHaveLength(4);
  });
});

it('inserts are batched only into tables whose rows wait for no others', async () => {
  const database = await createDatabase();
  const { entities } = await declarationsIn(`${process.cwd()}/src`);
  const open = await openDatabase(database.url, { poolSize: 1 }, [...entities]);
  const batched = open.dataSource.entityMetadatas.filter(areInsertsIndependent);
  await open.close();
  await database.drop();
  expect(batched.map(({ target }) => target)).toEqual([Product]);
});
