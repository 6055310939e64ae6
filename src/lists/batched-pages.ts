import { BatchLoader } from '../database/batch-loader.js';
import { keepsConnection } from '../database/database-error.js';
import { resultInTime } from '../database/result-in-time.js';
import { Reader } from '../database/replicas/replica.js';
import { ListQuery } from './list-query.js';
import { ListStatements } from './list-statements.js';

/** The values of a row, and of what is read along with it. */
export type Values = readonly unknown[];

type Rows = readonly Values[];

/** A page that is being read. Wrapped, so that each caller waits for its own page and not for the rest of a batch. */
interface PendingPage {
  readonly rows: Promise<Rows>;
}

/**
 * Reads pages that differ in the values of their parameters alone in batches: one statement reads all pages that are
 * asked for while earlier ones are being read. Nothing is stale: the statement starts after each of them was asked for.
 *
 * A page that PostgreSQL refuses, or that takes long, does not harm the others of its batch: each is then read alone.
 */
export class BatchedPages {
  private readonly pages = new BatchLoader<ListQuery, PendingPage>((queries) => this.readAll(queries));

  /** @param on the server that the pages are read from */
  constructor(
    private readonly statements: ListStatements,
    private readonly on: Reader,
  ) {}

  /** The rows of a page. @throws what its own statement throws */
  async read(query: ListQuery): Promise<Rows> {
    const { rows } = (await this.pages.load(query)) as PendingPage;
    return rows;
  }

  /** Resolves when no further page has to wait for these. */
  private async readAll(queries: readonly ListQuery[]): Promise<Map<ListQuery, PendingPage>> {
    const pending = queries.length > 1 ? await this.readBatch(queries) : this.readEach(queries);
    const [only] = pending;
    if (only && queries.length === 1) await resultInTime(only.rows).catch(() => undefined);
    return new Map(queries.map((query, i) => [query, pending[i] as PendingPage]));
  }

  private async readBatch(queries: readonly ListQuery[]): Promise<PendingPage[]> {
    try {
      const found = await resultInTime(this.on.query<Values>(this.statements.batch(queries)));
      if (found) return byPage(found, queries.length).map((rows) => ({ rows: Promise.resolve(rows) }));
    } catch (error) {
      if (!keepsConnection(error)) throw error;
    }
    return this.readEach(queries);
  }

  private readEach(queries: readonly ListQuery[]): PendingPage[] {
    return queries.map((query) => ({ rows: this.on.query<Values>(this.statements.page(query)) }));
  }
}

/** The rows of each page: every row of a batch ends with the number of its page. */
function byPage(rows: Rows, count: number): Rows[] {
  const pages = Array.from({ length: count }, (): Values[] => []);
  for (const row of rows) pages[(row.at(-1) as number) - 1]?.push(row);
  return pages;
}
