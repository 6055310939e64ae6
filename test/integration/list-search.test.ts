import { EntityTable } from '../../packages/core/src/database/entity-table.js';
import { checkSearches } from '../../packages/core/src/lists/check-lists.js';
import { CursorCodec } from '../../packages/core/src/lists/cursor.js';
import { ParsedListQuery, readListQuery } from '../../packages/core/src/lists/list-query.js';
import { pageStatement, readPage } from '../../packages/core/src/lists/list-statement.js';
import { Product } from '../../src/products/product.entity.js';
import { productList } from '../../src/products/product.resource.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';

const cursors = new CursorCodec(['a-secret-of-the-tests-of-32-bytes-or-more']);
const queryOf = (parameters: object): ParsedListQuery =>
  readListQuery(productList, String(new URLSearchParams(parameters as Record<string, string>)), cursors);

describe('search', () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let table: EntityTable;

  beforeAll(async () => {
    database = await createDatabase();
    open = await openDatabase(database.url, { poolSize: 2 }, [Product]);
    table = new EntityTable(open.dataSource.getMetadata(Product));
    await database.query(`
      insert into products (name, price, category, description)
      select 'Lamp ' || n, n, case n % 3 when 0 then 'oak' end, repeat('oak ', n % 4) || 'tone' || n from generate_series(1, 60) n;
      insert into products (name, price) select 'Rug ' || n, n from generate_series(1, 4000) n`);
    // Recently written rows are in the index proper only after a vacuum.
    await database.query('vacuum analyze products');
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });

  const page = async (parameters: object) => readPage<Product>(table, queryOf(parameters), open.database);

  it.each(['relevance:desc', 'relevance:asc', 'relevance:desc,price:asc', 'price:desc,relevance:desc'])(
    'shows each row once, in both styles of paging, while others are inserted: %s',
    async (sort) => {
      const parameters = { q: 'lamp oak', sort, limit: '7' };
      const all = (await page({ ...parameters, limit: '100' })).rows.map(({ id }) => id);
      expect(all).toHaveLength(50);
      const walked: number[] = [];
      const added: number[] = [];
      let cursor = '';
      do {
        const { rows, next, query } = await page({ ...parameters, cursor });
        walked.push(...rows.map(({ id }) => id));
        cursor = next ? cursors.encode(query.cursorScopeDigest, next) : '';
        const [{ id } = { id: 0 }] = await database.query<{ id: number }>(
          `insert into products (name, price) values ('Oak lamp', 1) returning id`,
        );
        added.push(id);
      } while (cursor);
      expect(walked.filter((id) => !added.includes(id))).toEqual(all);
      await database.query(`delete from products where name = 'Oak lamp'`);
      const byNumber: number[] = [];
      for (let number = 1; number <= 8; number++) {
        const { rows, total } = await page({ ...parameters, page: String(number) });
        expect(total).toBe(50);
        byNumber.push(...rows.map(({ id }) => id));
      }
      expect(byNumber).toEqual(all);
    },
  );

  it.each([{}, { cursor: '' }, { sort: 'price:asc' }])(
    'finds a few rows by the index: %j',
    async (parameters) => {
      const { text, values, name } = pageStatement(table, queryOf({ q: 'lamp tone7', ...parameters }));
      const client = await open.dataSource.query<object[]>(`explain ${text}`, values);
      const plan = JSON.stringify(client);
      expect([plan.includes('products_search'), plan.includes('Seq Scan on products'), name]).toEqual([
        true,
        false,
        undefined,
      ]);
    },
  );

  it('is refused at start if its column is not normalized like queries', async () => {
    const check = (): Promise<void> => checkSearches([{ list: productList }], open.database);
    await expect(check()).resolves.toBeUndefined();
    await database.query(`
      alter table products drop column search,
        add column search tsvector generated always as (to_tsvector('simple', lower(name))) stored;
      create index products_search on products using gin (search)`);
    await expect(check()).rejects.toThrow('products has no column or index for it in the current spelling');
  });
});
