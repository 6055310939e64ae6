import { Statement } from '../../src/database/connection.js';
import { Reader } from '../../src/database/replicas/replica.js';
import { RowScope } from '../../src/database/row-scope.js';
import { Table } from '../../src/database/table.js';
import { CursorCodec, CursorKey } from '../../src/lists/cursor.js';
import { ListDefinition } from '../../src/lists/list-definition.js';
import { ListQuery, Narrowing, scoped } from '../../src/lists/list-query.js';
import { ListReader } from '../../src/lists/list-reader.js';
import { Page } from '../../src/lists/page.js';
import { readListQuery } from '../../src/lists/read-list-query.js';
import { ORDERS } from '../../src/orders/order.resource.js';
import { productList } from '../../src/products/product.resource.js';
import { declarationsIn } from '../../tools/migrations/scratch.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';

const CURSORS = new CursorCodec(['a-secret-of-the-tests-of-32-bytes-or-more']);
const orderList = ORDERS.list!;

const asked = (
  list: ListDefinition,
  parameters: Record<string, string>,
  within: readonly Narrowing[] = [],
): ListQuery => readListQuery(list, String(new URLSearchParams(parameters)), CURSORS, within);

/** A query from behind these keys on. */
function askedAfter(list: ListDefinition, parameters: Record<string, string>, keys: CursorKey[]): ListQuery {
  const { list: name } = asked(list, { ...parameters, cursor: '' });
  return asked(list, { ...parameters, cursor: CURSORS.encode({ list: name, keys }) });
}

describe('pages that differ in the values of their parameters alone', () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let texts: string[];
  let on: Reader;

  beforeAll(async () => {
    database = await createDatabase();
    const { entities } = await declarationsIn(`${process.cwd()}/src`);
    open = await openDatabase(database.url, { poolSize: 4 }, [...entities]);
    await database.query(`
      insert into users (email, canonical_email, password_hash) select n || '@example.com', n || '@example.com', 'x' from generate_series(1, 6) n;
      insert into products (name, price, category, in_stock, rating, created_at)
        select 'P' || n % 7, n % 4, (array['a', 'it''s "{b},\\', null])[1 + n % 3], n % 2 = 0, nullif(n % 6, 0),
          timestamptz '2026-01-01' + n % 50 * interval '1 ms' from generate_series(1, 300) n;
      insert into orders (user_id, total, status) select 1 + n % 4, 5, (array['pending', 'paid'])[1 + n % 2] from generate_series(1, 200) n;
      insert into order_items (order_id, user_id, product_id, product_name, unit_price, quantity)
        select o.id, o.user_id, p.id, 'P', 1, 1 from orders o join products p on p.id % 20 = o.id % 20 where p.id <= 40`);
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });
  beforeEach(() => {
    texts = [];
    on = {
      query: <Row extends object>(statement: Statement): Promise<Row[]> => {
        texts.push(statement.text);
        return open.database.query<Row>(statement);
      },
    };
  });

  const readerOf = (list: ListDefinition): ListReader<{ id: number }> => {
    const { entity } = list;
    return new ListReader(open.database, new Table(open.dataSource.getMetadata(entity)));
  };

  /** The pages one after the other, each by a statement of its own. */
  async function alone(list: ListDefinition, queries: readonly ListQuery[]): Promise<Page<object>[]> {
    const reader = readerOf(list);
    const pages: Page<object>[] = [];
    for (const query of queries) pages.push(await reader.page(query, on));
    expect(texts.splice(0)).toHaveLength(queries.length);
    return pages;
  }

  const categories = ['a', 'it\'s "{b},\\', 'none'];
  const inCategories = (parameters: Record<string, string>): ListQuery[] =>
    categories.map((category) => asked(productList, { ...parameters, category }));
  const ofUsers = (parameters: Record<string, string>): ListQuery[] =>
    [1, 2, 3, 4, 999].map((value) => asked(orderList, parameters, [{ property: 'userId', value }]));
  const own = (userId: number): RowScope => ({
    except: [{ property: 'id', ids: [userId] }],
    anyOf: [[{ property: 'userId', ids: [userId] }]],
  });

  it.each<[string, ListDefinition, () => ListQuery[]]>([
    ['first pages', productList, () => inCategories({})],
    ['pages of another length', productList, () => inCategories({ limit: '7' })],
    [
      'pages that skip few rows',
      productList,
      () => [2, 3].map((page) => asked(productList, { page: String(page) })),
    ],
    [
      'pages that skip more',
      productList,
      () => [4, 5, 6, 25].map((page) => asked(productList, { page: String(page), inStock: 'true' })),
    ],
    ['starts of walks', productList, () => inCategories({ cursor: '', sort: 'rating:desc' })],
    ['orders with their items', orderList, () => ofUsers({})],
    ['orders with a status', orderList, () => ofUsers({ status: 'paid', page: '2' })],
    [
      'orders that callers may see',
      orderList,
      () => [1, 2, 3].map((id) => scoped(asked(orderList, {}), own(id), `of ${id}`)),
    ],
  ])('are read by one statement, each as if it were read alone: %s', async (_, list, queriesOf) => {
    const queries = queriesOf();
    const expected = await alone(list, queries);
    const reader = readerOf(list);
    const pages = await Promise.all(queries.map((query) => reader.page(query, on)));
    expect(pages).toEqual(expected);
    expect(texts).toHaveLength(1);
  });

  it('are walked to the end in batches', async () => {
    const reader = readerOf(productList);
    for (const sort of ['createdAt:asc', 'rating:asc', 'name:desc']) {
      const walk = async (category: string): Promise<number[]> => {
        const ids: number[] = [];
        let query = asked(productList, { sort, category, cursor: '' });
        for (;;) {
          const { rows, next } = await reader.page(query, on);
          ids.push(...rows.map(({ id }) => id));
          if (!next) return ids;
          query = askedAfter(productList, { sort, category }, [...next]);
        }
      };
      const walked = await Promise.all(categories.map(walk));
      const count = texts.splice(0).length;
      expect(walked.map(({ length }) => length)).toEqual([100, 100, 0]);
      expect(walked.map((ids) => new Set(ids).size)).toEqual([100, 100, 0]);
      expect(count).toBeLessThanOrEqual(6);
    }
  });

  it('fail alone where PostgreSQL refuses one', async () => {
    const reader = readerOf(productList);
    const after = (time: string): ListQuery => askedAfter(productList, {}, [time, 1]);
    const pages = await Promise.allSettled(
      ['2026-01-01T00:00:00.010Z', 'no time', '2026-01-01T00:00:00.020Z'].map((time) =>
        reader.page(after(time), on),
      ),
    );
    expect(pages.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(pages[1]).toMatchObject({ reason: { code: '22007' } });
  });

  it('do not wait for one that takes long, nor for what was asked before', async () => {
    let end = (): void => undefined;
    const isOver = new Promise<void>((resolve) => (end = resolve));
    const [slow, ...others] = inCategories({}) as [ListQuery, ...ListQuery[]];
    const isSlow = ({ values }: Statement): boolean => values.flat().includes('a');
    on = {
      query: async <Row extends object>(statement: Statement): Promise<Row[]> => {
        if (isSlow(statement)) await isOver;
        return open.database.query<Row>(statement);
      },
    };
    const reader = readerOf(productList);
    const all = [slow, ...others];
    const early = all.map((query) => reader.page(query, on));
    // While two statements of this kind are running.
    const late = [slow, slow, ...others].map((query) => reader.page({ ...query }, on));
    const found = await Promise.all([...early.slice(1), ...late.slice(2)]);
    expect(found.map(({ rows }) => rows.length)).toEqual([20, 0, 20, 0]);
    end();
    const [first, ...further] = await Promise.all([early[0], late[0], late[1]]);
    expect(further).toEqual([first, first]);
  });

  it.each<[string, () => ListQuery[]]>([
    ['pages that count their rows', () => ['1', '2'].map((minPrice) => asked(productList, { minPrice }))],
    [
      'filters that no index answers',
      () => ['1', '2'].map((minPrice) => asked(productList, { minPrice, cursor: '' })),
    ],
    ['pages far behind', () => [26, 27].map((page) => asked(productList, { page: String(page) }))],
    [
      'sorts of several fields',
      () => ['a', 'b'].map((category) => asked(productList, { category, sort: 'name:asc,price:asc' })),
    ],
  ])('are read alone where one may cost much: %s', async (_, queriesOf) => {
    const reader = readerOf(productList);
    await Promise.all(queriesOf().map((query) => reader.page(query, on)));
    expect(texts).toHaveLength(2);
  });
});
