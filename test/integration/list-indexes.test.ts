import { Client, escapeLiteral } from 'pg';
import { DataSource } from 'typeorm';

import { Statement } from '../../packages/core/src/database/sql-executor.js';
import { dataSourceOptions } from '../../packages/core/src/database/data-source-options.js';
import { EntityTable } from '../../packages/core/src/database/entity-table.js';
import { CursorCodec, CursorKey } from '../../packages/core/src/lists/cursor.js';
import { ParsedListQuery, readListQuery } from '../../packages/core/src/lists/list-query.js';
import { listStatement } from '../../packages/core/src/lists/list-statement.js';
import { Product } from '../../src/products/product.entity.js';
import { productList } from '../../src/products/product.resource.js';
import { createDatabase, TestDatabase } from '../support/databases.js';

const ROWS = 100_000;
const CATEGORIES = 20;
const FIELDS = ['price', 'createdAt', 'rating', 'name'];
const FILTERS: readonly Record<string, string>[] = [
  {},
  { category: 'category 7' },
  { category: 'category 7', inStock: 'true' },
];

/** The part of a plan (`EXPLAIN (ANALYZE, FORMAT JSON)`) that these tests read. */
interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Filter?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/** Whether a node of a plan returns more rows than a page has. */
const isLong = (node: Plan): boolean => node['Actual Rows'] > 100;

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe('lists of 100,000 products', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let client: Client;
  let table: EntityTable;
  const cursors = new CursorCodec(['a-secret-of-the-tests-of-32-bytes-or-more']);

  beforeAll(async () => {
    database = await createDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    // Pages that have not been flushed are not marked as visible to all, which rules out index-only scans.
    await client.query('set synchronous_commit = on');
    // Building an index on existing rows takes a third of the time.
    const indexes = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
       from pg_index where indrelid = 'products'::regclass and not indisprimary`,
    );
    for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
    await client.query(
      `insert into products (name, description, price, category, in_stock, rating, created_at)
       select 'Product ' || n * 7919 % ${ROWS}, repeat('A believable description. ', 5), n * 31 % 50000 / 100.0, 'category ' || n % ${CATEGORIES},
         n % 10 > 0, case when n % 3 > 0 then 1 + n % 401 / 100.0 end,
         timestamptz '2026-01-01' + (n::bigint * 104729 % 100003) * interval '1 second'
       from generate_series(1, ${ROWS}) n`,
    );
    for (const { definition } of indexes.rows) await client.query(definition);
    await client.query('vacuum analyze products');
    const options = dataSourceOptions(database.url, { poolSize: 1, statementTimeoutMs: 5000 });
    dataSource = new DataSource({ ...options, entities: [Product] });
    await dataSource.initialize();
    table = new EntityTable(dataSource.getMetadata(Product));
  });
  afterAll(async () => {
    await client.end();
    await dataSource.destroy();
    await database.drop();
  });

  /** The query that these parameters mean, optionally after a cursor. */
  function queryOf(parameters: Record<string, string>, after?: readonly CursorKey[]): ParsedListQuery {
    const text = (others: object): string => String(new URLSearchParams({ ...parameters, ...others }));
    if (!after) return readListQuery(productList, text({}), cursors);
    const { cursorScopeDigest } = readListQuery(productList, text({ cursor: '' }), cursors);
    return readListQuery(productList, text({ cursor: cursors.encode(cursorScopeDigest, after) }), cursors);
  }

  /** The sort keys of the row at a position of the list. */
  async function keysAt(place: number, parameters: Record<string, string>): Promise<CursorKey[]> {
    const query = queryOf({ ...parameters, limit: '1', page: String(place) });
    const [row] = await run(listStatement(table, query));
    return query.sort.map(({ property }) => row![property] as CursorKey);
  }

  async function run({ text, values }: Statement): Promise<Record<string, unknown>[]> {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  }

  /** The plan that a connection makes for a prepared statement. */
  async function planOf({ text, values }: Statement, mode: 'custom' | 'generic'): Promise<Plan> {
    const literals = values.map((value) =>
      value === null ? 'null' : escapeLiteral(String(value as string | number)),
    );
    await client.query(`set plan_cache_mode = force_${mode}_plan`);
    await client.query(`prepare listed as ${text}`);
    const execute = `execute listed${literals.length > 0 ? `(${literals.join(', ')})` : ''}`;
    const explained = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, timing off, format json) ${execute}`,
    );
    await client.query('deallocate listed');
    return explained.rows[0]!['QUERY PLAN'][0].Plan;
  }

  /** Expects no sequential scan, no sort of more than a page and the row after it, and few rows that are read but not shown. */
  async function expectIndexed(query: ParsedListQuery): Promise<void> {
    const statement = listStatement(table, query);
    for (const mode of ['custom', 'generic'] as const) {
      const nodes = nodesOf(await planOf(statement, mode));
      const scans = nodes.filter((node) => node['Relation Name'] === 'products');
      const types = scans.map((node) => node['Node Type']);
      expect([mode, ...types.filter((type) => type.includes('Seq Scan'))]).toEqual([mode]);
      const sorted = nodes
        .filter((node) => node['Node Type'].includes('Sort'))
        .map((node) => node.Plans?.[0]?.['Actual Rows'] ?? Infinity);
      expect([mode, Math.max(0, ...sorted) <= query.limit + 1]).toEqual([mode, true]);
      const removed = nodes.map((node) => node['Rows Removed by Filter'] ?? 0);
      expect([mode, Math.max(...removed) < query.limit * CATEGORIES * 2]).toEqual([mode, true]);
    }
  }

  /** Whether a session keeps the plan of a prepared statement. */
  async function isPlanKept({ text, values }: Statement): Promise<boolean> {
    await client.query('set plan_cache_mode = auto');
    // PostgreSQL makes five custom plans before it keeps a generic one.
    for (let times = 1; times <= 6; times++) await client.query({ name: 'kept', text, values });
    const { rows } = await client.query<{ isKept: boolean }>(
      `select generic_plans > 0 as "isKept" from pg_prepared_statements where name = 'kept'`,
    );
    await client.query('deallocate kept');
    Reflect.deleteProperty(
      (client as unknown as { connection: { parsedStatements: object } }).connection.parsedStatements,
      'kept',
    );
    return rows[0]!.isKept;
  }

  const sorts = FIELDS.flatMap((field) => ['asc', 'desc'].map((direction) => `${field}:${direction}`));
  const questions = sorts.flatMap((sort): [string, Record<string, string>][] => [
    [sort, { sort }],
    [`${sort} in a category`, { sort, category: 'category 7' }],
    [`${sort} in a category in stock`, { sort, category: 'category 7', inStock: 'true' }],
  ]);

  it.each(questions)('are read by an index, page by page: %s', async (_, parameters) => {
    await expectIndexed(queryOf({ ...parameters, limit: '20' }));
    await expectIndexed(queryOf({ ...parameters, limit: '100', page: '3' }));
    // The deepest pages: page 4,000 of all products, or the last page of a category.
    const page = 'category' in parameters ? ROWS / CATEGORIES / 20 : 4000;
    const query = queryOf({ ...parameters, limit: '20', page: String(page) });
    await expectIndexed(query);
    expect(await run(listStatement(table, query))).toHaveLength(20);
  });

  it.each(sorts)('skip rows in the index only: %s', async (sort) => {
    for (const filters of FILTERS)
      for (const page of ['20', '200']) {
        const statement = listStatement(table, queryOf({ ...filters, sort, page }));
        for (const mode of ['custom', 'generic'] as const) {
          const nodes = nodesOf(await planOf(statement, mode));
          const [skipping] = nodes.filter((node) => node['Relation Name'] === 'products' && isLong(node));
          expect([mode, skipping?.['Node Type']]).toEqual([mode, 'Index Only Scan']);
        }
      }
  });

  it.each(questions)('are read by an index, by cursors: %s', async (_, parameters) => {
    await expectIndexed(queryOf({ ...parameters, cursor: '', limit: '20' }));
    for (const place of [21, 4900]) {
      const query = queryOf({ ...parameters, limit: '20' }, await keysAt(place, parameters));
      await expectIndexed(query);
      expect(await run(listStatement(table, query))).toHaveLength(21);
    }
  });

  it.each<[string, Record<string, string>]>([
    ['all products', {}],
    ['a category', { category: 'category 7' }],
    ['products in stock', { inStock: 'true' }],
    ['a category in stock', { category: 'category 7', inStock: 'true' }],
    ['a page past the end', { page: '99999', category: 'none' }],
  ])('read only the products that they show, despite the total, of %s', async (_, parameters) => {
    const statement = listStatement(table, queryOf(parameters));
    for (const mode of ['custom', 'generic'] as const) {
      const nodes = nodesOf(await planOf(statement, mode));
      const scans = nodes.filter((node) => node['Relation Name'] === 'products');
      const read = scans.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
      expect([mode, Math.max(...read) <= 40]).toEqual([mode, true]);
      // The key of the total is computed once, not for each row that it is compared with.
      const [total] = nodes.filter((node) => node['Relation Name'] === 'products_totals');
      expect(total!.Filter ?? total!['Index Cond']).not.toContain('jsonb_build_array');
    }
    const [row] = await run(statement);
    const counted = await client.query<{ n: number }>(
      'select count(*)::int as n from products where category = coalesce($1, category) and in_stock = coalesce($2, in_stock)',
      [parameters['category'] ?? null, parameters['inStock'] ?? null],
    );
    expect(row!['listTotal']).toBe(counted.rows[0]!.n);
  });

  it.each<[string, Record<string, string>]>([
    ['the first page', {}],
    ['a page that skips few rows', { page: '3' }],
    ['a page that skips more rows', { page: '20' }],
    ['a page of another length', { page: '2', limit: '33' }],
    ['a page by cursor', { cursor: '' }],
  ])('keep the plan of their statement for %s', async (_, parameters) => {
    for (const filters of FILTERS)
      expect([
        filters,
        await isPlanKept(listStatement(table, queryOf({ ...parameters, ...filters, sort: 'price:asc' }))),
      ]).toEqual([filters, true]);
  });
});
