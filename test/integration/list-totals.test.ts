import fc from 'fast-check';

import { IdCondition, RowFilter } from '../../packages/core/src/database/row-filter.js';
import { EntityTable } from '../../packages/core/src/database/entity-table.js';
import { ListDefinition } from '../../packages/core/src/lists/list-definition.js';
import { FilterCondition, ParsedListQuery, FixedFilter } from '../../packages/core/src/lists/list-query.js';
import { LoadedPage } from '../../packages/core/src/lists/page.js';
import { readPage } from '../../packages/core/src/lists/read-page.js';
import { orderItemList, orderList } from '../../src/orders/order.resource.js';
import { productList } from '../../src/products/product.resource.js';
import { reviewList } from '../../src/reviews/review.resource.js';
import { declarationsIn } from '../../packages/dev/src/migrations/scratch.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';
import { SOURCE_FOLDERS } from '../support/source-folders.js';

/** A list, the parameters of its filters, and the properties by which grants restrict it. */
interface Subject {
  readonly list: ListDefinition;
  readonly filters: Readonly<Record<string, readonly unknown[]>>;
  readonly within: Readonly<Record<string, readonly number[]>>;
  readonly links: readonly string[];
}

const IDS = [1, 2, 3, 4, 5, 999];
const SUBJECTS: Record<string, Subject> = {
  products: {
    list: productList,
    filters: {
      category: ['a', ['a', 'b', 'none']],
      inStock: [true, false],
      minPrice: ['2'],
      id: [[3, 4, 5]],
    },
    within: {},
    links: ['id'],
  },
  orders: {
    list: orderList,
    filters: { userId: [1, 2, 999], status: ['pending', 'shipped', ['paid', 'pending']] },
    within: { userId: [1, 2, 999] },
    links: ['id', 'userId'],
  },
  'order items': {
    list: orderItemList,
    filters: { orderId: [1, 2] },
    within: { orderId: [1, 7] },
    links: ['orderId', 'userId', 'productId'],
  },
  reviews: {
    list: reviewList,
    filters: { productId: [1, 2, 999], userId: [1], rating: [1, 5] },
    within: { productId: [1, 3] },
    links: ['id', 'productId', 'userId'],
  },
};

const condition = ({ filters }: ListDefinition, filter: string, value: unknown): FilterCondition => ({
  filter: filters.get(filter)!,
  value: value as string,
});

describe('totals of lists', () => {
  let database: TestDatabase;
  let open: OpenDatabase;

  beforeAll(async () => {
    database = await createDatabase();
    const { entities } = await declarationsIn(...SOURCE_FOLDERS);
    open = await openDatabase(database.url, { poolSize: 2 }, [...entities]);
    await database.query(`
      insert into users (email, canonical_email, password_hash) select n || '@example.com', n || '@example.com', 'x' from generate_series(1, 6) n;
      insert into products (name, price, category, in_stock) select 'P', n % 4, (array['a', 'b', null])[1 + n % 3], n % 2 = 0 from generate_series(1, 60) n;
      insert into orders (user_id, total, status) select 1 + n % 4, 5, (array['pending', 'paid'])[1 + n % 2] from generate_series(1, 40) n;
      insert into order_items (order_id, user_id, product_id, product_name, unit_price, quantity)
        select o.id, o.user_id, p.id, 'P', 1, 1 from orders o join products p on p.id % 20 = o.id % 20 where p.id <= 40;
      insert into reviews (product_id, user_id, rating) select 1 + n % 12, 1 + n / 12, 1 + n % 5 from generate_series(0, 70) n;
      update order_items set product_id = null where id % 5 = 0;
      delete from products where id % 17 = 0`);
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });

  const queryOf = (definition: ListDefinition, parts: Partial<ParsedListQuery>): ParsedListQuery => ({
    definition,
    cursorScopeDigest: '',
    fixedFilters: [],
    conditions: [],
    sort: [{ property: 'id', direction: 'asc' }],
    limit: 100,
    position: { style: 'offset', page: 1 },
    ...parts,
  });

  const tableOf = ({ entity }: ListDefinition): EntityTable =>
    new EntityTable(open.dataSource.getMetadata(entity));

  const some = (values: Readonly<Record<string, readonly unknown[]>>): fc.Arbitrary<[string, unknown][]> =>
    fc
      .subarray(Object.keys(values))
      .chain((keys) =>
        fc.tuple(
          ...keys.map((key) =>
            fc.constantFrom(...values[key]!).map((value) => [key, value] as [string, unknown]),
          ),
        ),
      );

  /** Any filters, fixed filters and grants of a list. */
  const queries = ({ list, filters, within, links }: Subject): fc.Arbitrary<ParsedListQuery> => {
    const ids: fc.Arbitrary<IdCondition> = fc.record({
      property: fc.constantFrom(...links),
      ids: fc.subarray(IDS, { minLength: 1, maxLength: 3 }),
    });
    const scopes: fc.Arbitrary<RowFilter> = fc.record({
      except: fc.array(ids, { maxLength: 2 }),
      anyOf: fc.option(fc.array(fc.array(ids, { minLength: 1, maxLength: 2 }), { maxLength: 3 })),
    });
    return fc.tuple(some(filters), some(within), fc.option(scopes)).map(([asked, narrowed, scope]) => {
      const conditions = asked.map(([filter, value]) => condition(list, filter, value));
      const fixedFilters = narrowed.map(([property, value]): FixedFilter => ({
        property,
        value: value as number,
      }));
      return queryOf(list, { conditions, fixedFilters, ...(scope && { scope }) });
    });
  };

  it.each(Object.keys(SUBJECTS))(
    'count exactly the rows of the list for any filters and grants: %s',
    async (name) => {
      const subject = SUBJECTS[name]!;
      await fc.assert(
        fc.asyncProperty(queries(subject), async (query) => {
          const { rows, total } = await readPage(tableOf(subject.list), query, open.database);
          expect(total).toBe(rows.length);
        }),
        { numRuns: 40 },
      );
    },
  );

  it.each(Object.keys(SUBJECTS))(
    'are the same on any page if triggers do not maintain them: %s',
    async (name) => {
      const subject = SUBJECTS[name]!;
      const counted: ListDefinition = { ...subject.list, totalsByTriggers: false };
      const positions = fc.record({ page: fc.constantFrom(1, 2, 3, 40, 400), limit: fc.constantFrom(3, 50) });
      await fc.assert(
        fc.asyncProperty(queries(subject), positions, async (any, { page, limit }) => {
          const query = { ...any, limit, position: { style: 'offset', page } as const };
          const read = async (definition: ListDefinition) => {
            const { rows, total } = await readPage(
              tableOf(definition),
              { ...query, definition },
              open.database,
            );
            return { rows, total };
          };
          expect(await read(counted)).toEqual(await read(subject.list));
        }),
        { numRuns: 40 },
      );
    },
  );

  it('are read again if rows fill a page while they are counted', async () => {
    const counted: ListDefinition = { ...orderList, totalsByTriggers: false };
    const fixedFilters = [{ property: 'userId', value: 6 }];
    const position = { style: 'offset', page: 2 } as const;
    const query = queryOf(counted, { fixedFilters, limit: 1, position });
    let statements = 0;
    const { rows, total } = await readPage<{ id: number }>(tableOf(counted), query, {
      query: async (statement) => {
        if (++statements === 2)
          await database.query('insert into orders (user_id, total) select 6, 5 from generate_series(1, 2)');
        return open.database.query(statement);
      },
    });
    expect({ rows: rows.length, total, statements }).toEqual({ rows: 1, total: 2, statements: 3 });
  });

  it('may exceed four bytes', async () => {
    const read = (): Promise<LoadedPage<object>> =>
      readPage(tableOf(productList), queryOf(productList, {}), open.database);
    const before = (await read()).total ?? 0;
    await database.query(`insert into products_totals (key, n) values ('[3, null, null]', 3e9)
      on conflict (key) do update set n = products_totals.n + 3e9`);
    expect((await read()).total).toBe(before + 3e9);
  });
});
