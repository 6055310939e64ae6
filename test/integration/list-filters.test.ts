import fc from 'fast-check';
import { Client } from 'pg';

import { RESULT_TYPES } from '../../packages/core/src/database/result-types.js';
import { EntityTable } from '../../packages/core/src/database/entity-table.js';
import { CursorCodec } from '../../packages/core/src/lists/cursor.js';
import { ParsedListQuery, readListQuery } from '../../packages/core/src/lists/list-query.js';
import { LoadedPage } from '../../packages/core/src/lists/page.js';
import { readPage } from '../../packages/core/src/lists/read-page.js';
import { Product } from '../../src/products/product.entity.js';
import { CreateProductTags1763900000000 } from '../../packages/core/test/examples/tagged-products/1763900000000-create-product-tags.js';
import { ProductTag } from '../../packages/core/test/examples/tagged-products/product-tag.entity.js';
import { TaggedProduct } from '../../packages/core/test/examples/tagged-products/tagged-product.entity.js';
import { taggedProductList } from '../../packages/core/test/examples/tagged-products/tagged-product.resource.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';

/** A product as the test knows it. */
interface Model {
  readonly id: number;
  readonly name: string;
  readonly category: string | null;
  readonly price: number;
  readonly inStock: boolean;
  /** The position of the product in the order of `createdAt`. */
  readonly createdAt: number;
  readonly tags: readonly string[];
}

const WORDS = ['oak', 'Oak', 'öak', 'desk', 'lamp', 'o%k', 'o_k'];
const CATEGORIES = [null, '', 'a b', 'say "hi"', 'lamps', 'Lamps'];
const TAGS = ['new', 'sale', `it's`, 'a,b', '%'];
const SORTS = ['createdAt', 'name', 'price', 'category', 'tagCount'];
const ROWS = 60;

const { compare: compareText } = new Intl.Collator('und');

/** The order of a sort: nulls last in both directions, ids in the direction of the last term. */
function sorted(rows: readonly Model[], sort: string): Model[] {
  const terms = sort.split(',').map((term) => term.split(':') as [string, string]);
  const compare = (a: Model, b: Model, field: string): number => {
    const of = (row: Model) => (field === 'tagCount' ? row.tags.length : row[field as keyof Model]);
    const [left, right] = [of(a), of(b)];
    if (left === null || right === null) return Infinity * (Number(left === null) - Number(right === null));
    return typeof left === 'string' ? compareText(left, String(right)) : Number(left) - Number(right);
  };
  return rows.toSorted((a, b) => {
    for (const [field, direction] of [...terms, ['id', terms.at(-1)![1]] as const]) {
      const order = compare(a, b, field);
      if (order) return direction === 'asc' || Math.abs(order) === Infinity ? order : -order;
    }
    return 0;
  });
}

/** The meaning of each filter, written without SQL. */
const MEANINGS: Record<
  string,
  {
    values: fc.Arbitrary<unknown>;
    holds: (row: Model, value: never) => boolean;
  }
> = {
  inStock: { values: fc.boolean(), holds: (row, value: boolean) => row.inStock === value },
  category: {
    values: fc.constantFrom(...CATEGORIES.filter((category) => category !== null)),
    holds: (row, value: string) => row.category === value,
  },
  minTags: {
    values: fc.integer({ min: 0, max: 4 }),
    holds: ({ tags }, value: number) => tags.length >= value,
  },
  tag: {
    values: fc.constantFrom(...TAGS, 'none'),
    holds: ({ tags }, value: string) => tags.includes(value),
  },
};

const filters = fc
  .subarray(Object.keys(MEANINGS), { maxLength: 4 })
  .chain((names) =>
    fc.tuple(...names.map((name) => MEANINGS[name]!.values.map((value) => ({ name, value })))),
  );
const sorts = fc
  .shuffledSubarray(SORTS, { minLength: 1, maxLength: 3 })
  .chain((fields) => fc.tuple(...fields.map((field) => fc.constantFrom(`${field}:asc`, `${field}:desc`))))
  .map((terms) => terms.join(','));

describe('filters of every kind', () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let client: Client;
  let table: EntityTable;
  let rows: Model[];
  const cursors = new CursorCodec(['a-secret-of-the-tests-of-32-bytes-or-more']);

  /** Rows with few distinct values per property, so that ties and nulls cross the boundaries of pages. */
  async function insert(count: number, seed: number): Promise<Model[]> {
    const made: Model[] = [];
    for (let n = seed; n < seed + count; n++) {
      const words = [WORDS[n % 7]!, ...(n % 3 ? ['desk'] : []), ...(n % 4 ? ['lamp'] : [])];
      const values = [words.join(' '), CATEGORIES[n % 6], n % 5, n % 2 === 0, n % 4];
      const { rows: found } = await client.query<{ id: number }>(
        `insert into products (name, category, price, in_stock, created_at)
         values ($1, $2, $3, $4, timestamptz '2026-01-01' + $5::int * interval '1 ms') returning id`,
        values,
      );
      const { id } = found[0]!;
      const tags = TAGS.filter((_, i) => (n >> i) % 2 === 1 && n % 6 > 0);
      await client.query('insert into product_tags select $1, unnest($2::text[])', [id, tags]);
      const [name, category, price, inStock] = values as [string, string | null, number, boolean];
      made.push({ id, name, category, price, inStock, createdAt: n % 4, tags });
    }
    return made;
  }

  beforeAll(async () => {
    database = await createDatabase();
    open = await openDatabase(database.url, { poolSize: 2 }, [Product, ProductTag, TaggedProduct]);
    const runner = open.dataSource.createQueryRunner();
    await new CreateProductTags1763900000000().up(runner);
    await runner.release();
    table = new EntityTable(open.dataSource.getMetadata(TaggedProduct));
    client = new Client({ connectionString: database.url, types: RESULT_TYPES });
    await client.connect();
    rows = await insert(ROWS, 0);
  });
  afterAll(async () => {
    await client.end();
    await open.close();
    await database.drop();
  });

  const read = (query: ParsedListQuery): Promise<LoadedPage<Model>> => readPage(table, query, open.database);
  const queryOf = (parameters: Record<string, string>): ParsedListQuery =>
    readListQuery(taggedProductList, String(new URLSearchParams(parameters)), cursors);

  async function byPages(parameters: Record<string, string>): Promise<number[]> {
    const ids: number[] = [];
    for (let page = 1; ; page++) {
      const { rows: found, total = 0 } = await read(queryOf({ ...parameters, page: String(page) }));
      ids.push(...found.map(({ id }) => id));
      if (found.length === 0) {
        expect(ids).toHaveLength(total);
        return ids;
      }
    }
  }

  async function byCursors(
    parameters: Record<string, string>,
    between?: () => Promise<unknown>,
  ): Promise<number[]> {
    const ids: number[] = [];
    for (let cursor = ''; ;) {
      const query = queryOf({ ...parameters, cursor });
      const { rows: found, next } = await read(query);
      ids.push(...found.map(({ id }) => id));
      if (!next) return ids;
      cursor = cursors.encode(query.cursorScopeDigest, next);
      await between?.();
    }
  }

  it('select the same rows in the same order by pages and by cursors, while rows come and go', async () => {
    let seed = ROWS;
    await fc.assert(
      fc.asyncProperty(filters, sorts, fc.integer({ min: 2, max: 9 }), async (chosen, sort, limit) => {
        const asked = chosen.map(({ name, value }) => [name, String(value)]);
        const parameters = { ...(Object.fromEntries(asked) as object), sort, limit: String(limit) };
        const left = rows.filter((row) =>
          chosen.every(({ name, value }) => MEANINGS[name]!.holds(row, value as never)),
        );
        const paged = await byPages(parameters);
        expect(paged).toEqual(sorted(left, sort).map(({ id }) => id));
        expect(await byCursors(parameters)).toEqual(paged);
        const passing: number[] = [];
        const walked = await byCursors(parameters, async () => {
          const [come] = await insert(1, seed++);
          passing.push(come!.id);
          if (passing.length > 2) await client.query('delete from products where id = $1', [passing.shift()]);
        });
        expect(new Set(walked).size).toBe(walked.length);
        expect(walked.filter((id) => id <= rows.at(-1)!.id)).toEqual(paged);
        await client.query('delete from products where id > $1', [rows.at(-1)!.id]);
      }),
      { numRuns: 20 },
    );
  });
});
