import { BatchLoader } from '../database/batch-loader.js';
import { keepsConnection } from '../database/database-error.js';
import { Reader } from '../database/replicas/replica.js';
import { ListQuery } from './list-query.js';
import { ListStatements } from './list-statements.js';

/** The values of a row, and of what is read along with it. */
export type Values = readonly unknown[];

type Rows = readonly Values[];

/** A page that is being read. Wrapped, so that one page can be waited for without the others that were read with it. */
interface Reading {
  readonly rows: Promise<Rows>;
}

/** How long a page waits for others: for those of its own statement, and for statements that ran before. */
const PATIENCE_MS = 500;

/**
 * Reads pages that differ in the values of their parameters alone: those that are asked for while earlier ones are being
 * read are read by one statement. Nothing is stale: the statement starts after each of them was asked for.
 *
 * One page that PostgreSQL refuses, or that takes long, is not the fault of the others: these are then read one by one.
 */
export class GatheredPages {
  private readonly pages = new BatchLoader<ListQuery, Reading>((queries) => this.readAll(queries));

  /** @param on where the pages are read */
  constructor(
    private readonly statements: ListStatements,
    private readonly on: Reader,
  ) {}

  /** The rows of a page. @throws what its own statement throws */
  async read(query: ListQuery): Promise<Rows> {
    const { rows } = (await this.pages.load(query)) as Reading;
    return rows;
  }

  /** Returns when no other page has to wait any more. */
  private async readAll(queries: readonly ListQuery[]): Promise<Map<ListQuery, Reading>> {
    const readings = queries.length > 1 ? await this.together(queries) : this.oneByOne(queries);
    const [only] = readings;
    if (only && queries.length === 1) await patiently(only.rows).catch(() => undefined);
    return new Map(queries.map((query, i) => [query, readings[i] as Reading]));
  }

  private async together(queries: readonly ListQuery[]): Promise<Reading[]> {
    try {
      const found = await patiently(this.on.query<Values>(this.statements.pages(queries)));
      if (found) return pagesOf(found, queries.length).map((rows) => ({ rows: Promise.resolve(rows) }));
    } catch (error) {
      if (!keepsConnection(error)) throw error;
    }
    return this.oneByOne(queries);
  }

  private oneByOne(queries: readonly ListQuery[]): Reading[] {
    return queries.map((query) => ({ rows: this.alone(query) }));
  }

  private async alone(query: ListQuery): Promise<Rows> {
    const { text, name, values, read } = this.statements.page(query);
    const statement = { text, values, ...(name !== undefined && { name }), ...(read && { read }) };
    return this.on.query<Values>(statement);
  }
}

/** The result of what does not take long; `undefined` of what does, whatever becomes of it. */
function patiently<T>(result: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const isLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, undefined);
  });
  return Promise.race([result, isLong]).finally(() => {
    clearTimeout(timer);
  });
}

/** The rows of each page, by the place that they end with. */
function pagesOf(rows: Rows, count: number): Rows[] {
  const pages = Array.from({ length: count }, (): Values[] => []);
  for (const row of rows) pages[(row.at(-1) as number) - 1]?.push(row);
  return pages;
}
