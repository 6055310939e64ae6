import { Table } from '../../src/core/database/table.js';
import { ListStatements } from '../../src/core/lists/list-statements.js';
import { Product } from '../../src/products/product.entity.js';
import { productList } from '../../src/products/product.resource.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { productsAsked } from '../support/asked.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';

const ROWS = 1_500;

/** How plain SQL sorts by each field that products can be sorted by. */
const COLUMNS: Readonly<Record<string, string>> = {
  createdAt: 'created_at',
  price: 'price',
  rating: 'rating',
  name: 'name collate "und-x-icu"',
};
const sorts = Object.keys(COLUMNS).flatMap((field) =>
  ['asc', 'desc'].map((direction) => `${field}:${direction}`),
);
const severalFields = ['rating:desc,price:asc', 'price:asc,name:asc', 'name:desc,rating:desc'];

/** The filters of a list, and the condition that they are. */
const FILTERS: readonly [parameters: Record<string, string>, condition: string][] = [
  [{}, 'true'],
  [{ category: 'a' }, `category = 'a'`],
  [{ inStock: 'true' }, 'in_stock'],
  [{ category: 'a', inStock: 'true' }, `category = 'a' and in_stock`],
  [{ minPrice: '1' }, 'price >= 1'],
];

/** Pages around the bounds between kinds, in the middle, at the end and past it. */
const PLACES: readonly [page: number, limit: number][] = [
  [4, 20],
  [5, 20],
  [20, 20],
  [9, 7],
  [10, 7],
  [2, 100],
  [26, 20],
  [30, 20],
  [75, 20],
  [90, 7],
  [6, 100],
  [9_999, 20],
];

describe('pages that skip many rows', () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let table: Table;
  let statements: ListStatements;

  beforeAll(async () => {
    database = await createDatabase();
    open = await openDatabase(database.url, {}, [Product]);
    // Few values of each field, so most rows are tied; a third has no rating.
    await database.query(`insert into products (name, price, category, in_stock, rating, created_at)
      select (array['anvil', 'Anvil', 'Äpfel', 'Zebra', 'b side', 'B-side'])[1 + n * 5 % 6], n * 7 % 5,
        (array['a', 'a', 'a', 'b', null])[1 + n % 5], n % 4 > 0, case when n % 3 > 0 then 1 + n % 4 end,
        timestamptz '2026-01-01' + n * 13 % 40 * interval '1 ms' from generate_series(1, ${ROWS}) n`);
    table = new Table(open.dataSource.getMetadata(Product));
    statements = new ListStatements(table, productList);
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });

  /** The ids in the rows of a page's statement, and its total. */
  function idsIn(found: readonly (readonly unknown[])[]): [number[], unknown] {
    const { whole } = table;
    const ids = found.map((values) => values[whole.properties.indexOf('id')] as number | null);
    return [ids.filter((id) => id !== null), found[0]?.[whole.width]];
  }

  async function plain(sort: string, condition: string, place: readonly [number, number]): Promise<unknown> {
    const [page, limit] = place;
    const terms = sort.split(',').map((term) => term.split(':') as [string, string]);
    const order = terms.map(([field, direction]) => `${COLUMNS[field]!} ${direction} nulls last`).join(', ');
    const [{ ids, total } = { ids: null, total: 0 }] = await database.query<{
      ids: number[] | null;
      total: number;
    }>(
      `select (select array_agg(id order by place) from (
         select id, row_number() over () as place from (
           select id from products where ${condition} order by ${order}, id ${terms.at(-1)![1]}
           limit ${limit} offset ${(page - 1) * limit}) sorted) numbered) as ids,
         (select count(*)::int from products where ${condition}) as total`,
    );
    return [ids ?? [], total];
  }

  it.each([...sorts, ...severalFields])('are what plain SQL finds: by %s', async (sort) => {
    for (const [parameters, condition] of FILTERS) {
      for (const place of PLACES) {
        const query = productsAsked({ ...parameters, sort, page: place[0], limit: place[1] });
        const expected = await plain(sort, condition, place);
        const found = idsIn(await open.database.query<unknown[]>(statements.page(query)));
        expect([parameters, place, ...found]).toEqual([parameters, place, ...(expected as unknown[])]);
      }
    }
  });

  it.each(sorts)('begin at their place in the index where it has the whole list in its order: %s', (sort) => {
    for (const [parameters] of FILTERS)
      for (const page of [5, 50]) {
        const { text } = statements.page(productsAsked({ ...parameters, sort, page }));
        expect(text.includes('"place"')).toBe(!('minPrice' in parameters));
      }
  });
});
