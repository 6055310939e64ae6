import { BatchLoader } from '../database/batch-loader.js';
import { keepsConnection } from '../database/database-error.js';
import { Reader } from '../database/replicas/replica.js';
import { ListQuery } from './list-query.js';
import { ListStatements } from './list-statements.js';

/** The values of a row, and of what is read along with it. */
export type Values = readonly unknown[];

/** The rows of a page, or the error that it failed with. */
type Outcome = PromiseSettledResult<readonly Values[]>;

/**
 * Reads pages that differ in the values of their parameters alone: those that are asked for while earlier ones are being
 * read are read by one statement. Nothing is stale: the statement starts after each of them was asked for.
 */
export class GatheredPages {
  private readonly pages = new BatchLoader<ListQuery, Outcome>((queries) => this.readAll(queries));

  /** @param on where the pages are read */
  constructor(
    private readonly statements: ListStatements,
    private readonly on: Reader,
  ) {}

  /** The rows of a page. @throws what its own statement throws */
  async read(query: ListQuery): Promise<readonly Values[]> {
    const outcome = (await this.pages.load(query)) as Outcome;
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  private async readAll(queries: readonly ListQuery[]): Promise<Map<ListQuery, Outcome>> {
    const outcomes = queries.length > 1 ? await this.together(queries) : await this.oneByOne(queries);
    return new Map(queries.map((query, i) => [query, outcomes[i] as Outcome]));
  }

  /** One page that PostgreSQL refuses, or that takes too long, is not the fault of the others. */
  private async together(queries: readonly ListQuery[]): Promise<Outcome[]> {
    try {
      return pagesOf(await this.on.query<Values>(this.statements.pages(queries)), queries.length);
    } catch (error) {
      if (!keepsConnection(error)) throw error;
      return this.oneByOne(queries);
    }
  }

  private oneByOne(queries: readonly ListQuery[]): Promise<Outcome[]> {
    return Promise.allSettled(
      queries.map((query) => {
        const { text, name, values, read } = this.statements.page(query);
        return this.on.query<Values>({
          text,
          values,
          ...(name !== undefined && { name }),
          ...(read && { read }),
        });
      }),
    );
  }
}

/** The rows of each page, by the place that they end with. */
function pagesOf(rows: readonly Values[], count: number): Outcome[] {
  const pages = Array.from({ length: count }, (): Values[] => []);
  for (const row of rows) pages[(row.at(-1) as number) - 1]?.push(row);
  return pages.map((value) => ({ status: 'fulfilled', value }));
}
