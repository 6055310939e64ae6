import { EntityTable } from '../../packages/core/src/database/entity-table.js';
import { CursorCodec } from '../../packages/core/src/lists/cursor.js';
import { ParsedListQuery, readListQuery } from '../../packages/core/src/lists/list-query.js';
import { readPage } from '../../packages/core/src/lists/read-page.js';
import { Product } from '../../src/products/product.entity.js';
import { productList } from '../../src/products/product.resource.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';

/** More than a search sorts, and a number that no page ends at. */
const ROWS = 31_007;

const cursors = new CursorCodec(['a-secret-of-the-tests-of-32-bytes-or-more']);
const queryOf = (text: string): ParsedListQuery => readListQuery(productList, text, cursors);

describe('pages of 31,007 products', () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let table: EntityTable;

  beforeAll(async () => {
    database = await createDatabase();
    open = await openDatabase(database.url, { poolSize: 1 }, [Product]);
    table = new EntityTable(open.dataSource.getMetadata(Product));
    await database.query(`
      insert into products (name, price, category, in_stock, rating)
      select 'Lamp' || case when n % 3 = 0 then ' brass' else '' end || case when n % 97 = 0 then ' zinc' else '' end,
        n * 31 % 500, 'cat-' || n % 7, n % 11 > 0, case when n % 3 > 0 then 1 + n % 401 / 100.0 end
      from generate_series(1, ${ROWS}) n`);
    await database.query('vacuum analyze products');
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });

  const page = (text: string) => readPage<Product>(table, queryOf(text), open.database);

  /** The ids of a list as plain SQL finds them. */
  async function idsWhere(condition: string, order: string): Promise<number[]> {
    const rows = await database.query<{ id: number }>(
      `select id::int from products where ${condition} order by ${order}`,
    );
    return rows.map(({ id }) => id);
  }

  const lists: [query: string, condition: string, order: string][] = [
    ['sort=price:asc', 'true', 'price, id'],
    ['sort=rating:desc', 'true', 'rating desc nulls last, id desc'],
    ['sort=rating:asc&inStock=true', 'in_stock', 'rating nulls last, id'],
    ['sort=price:desc,rating:asc&category=cat-3', `category = 'cat-3'`, 'price desc, rating nulls last, id'],
    [
      'sort=rating:desc&category=cat-1&category=cat-2',
      `category in ('cat-1', 'cat-2')`,
      'rating desc nulls last, id desc',
    ],
    ['sort=id:asc&category=cat-1&category=none', `category = 'cat-1'`, 'id'],
    ['sort=price:asc&minPrice=100&maxPrice=300', 'price between 100 and 300', 'price, id'],
    ['sort=price:asc&minRating=4.5', 'rating >= 4.5', 'price, id'],
    ['q=lamp&sort=price:desc', 'true', 'price desc, id desc'],
    ['q=lamp%20brass&sort=rating:asc', 'id % 3 = 0', 'rating nulls last, id'],
    ['q=lamp', 'true', 'id desc'],
    ['q=lamp&sort=relevance:asc,price:asc', 'true', 'price, id'],
    ['q=lamp%20brass', 'id % 3 = 0', 'id desc'],
    [
      'q=lamp%20brass&inStock=false&sort=relevance:desc,id:asc',
      'id % 33 = 0',
      `name = 'Lamp brass' desc, id`,
    ],
  ];

  it.each(lists)('are the same as those of plain SQL, near and far: %s', async (query, condition, order) => {
    const ids = await idsWhere(condition, order);
    const limit = 97;
    const last = Math.ceil(ids.length / limit);
    for (const number of [
      1,
      2,
      7,
      12,
      Math.ceil(last / 2),
      Math.ceil(last / 2) + 1,
      last - 1,
      last,
      last + 1,
      9999,
    ]) {
      const { rows, total } = await page(`${query}&limit=${limit}&page=${number}`);
      const expected = ids.slice((number - 1) * limit, number * limit);
      expect([number, total, rows.map(({ id }) => id)]).toEqual([number, ids.length, expected]);
    }
  });

  it.each(lists)('follow each other by cursors: %s', async (query, condition, order) => {
    const ids = await idsWhere(condition, order);
    let cursor = '';
    for (let number = 0; number < 5; number++) {
      const { rows, next, query: parsed } = await page(`${query}&limit=50&cursor=${cursor}`);
      expect(rows.map(({ id }) => id)).toEqual(ids.slice(number * 50, number * 50 + 50));
      cursor = next ? cursors.encode(parsed.cursorScopeDigest, next) : '';
    }
  });

  it('keep the order in which a walk began, when a search gets more matches than are ranked', async () => {
    const [ranked, unranked] = ['q=zinc&limit=30', 'q=brass&limit=30'];
    const walk = async (text: string, from: string): Promise<{ ids: number[]; cursor: string }> => {
      const { rows, next, query } = await page(`${text}&cursor=${from}`);
      return { ids: rows.map(({ id }) => id), cursor: cursors.encode(query.cursorScopeDigest, next!) };
    };
    const first = [await walk(ranked, ''), await walk(unranked, '')];
    const before = [await walk(ranked, first[0]!.cursor), await walk(unranked, first[1]!.cursor)];
    await database.query(
      `insert into products (name, price) select 'Zinc', 1 from generate_series(1, 10000)`,
    );
    await database.query(`delete from products where id % 3 = 0 and id > 5000 and id <= 24000`);
    const after = [await walk(ranked, first[0]!.cursor), await walk(unranked, first[1]!.cursor)];
    expect(after).toEqual(before);
  });
});
