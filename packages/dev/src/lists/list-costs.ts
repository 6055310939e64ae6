import { EntityTable, ListFilter, listStatement, readPostgresUrl } from '@plinth/core/dev';
import { Client } from 'pg';
import { EntityMetadata } from 'typeorm';

import { withClient } from '../database-client.js';
import { Combination, listCombinations } from './combinations.js';
import { currentFixedFilters, currentValues, readCurrentValues } from './current-values.js';
import { buffersOf, explainPlans, Plan, PlannedStatement, planLines, totalRows } from './plan.js';
import { ServedList } from './served-lists.js';

/** The costs of a query of a list for PostgreSQL. */
interface QueryCost {
  readonly text: string;
  readonly statement: PlannedStatement;
  /** `Infinity` if PostgreSQL cancelled the statement. */
  readonly ms: number;
  readonly plan: Plan;
  /** Whether PostgreSQL made the plan for all values, not for those of the statement. */
  readonly isGeneric: boolean;
}

interface CostOptions {
  /** How many queries are returned. */
  readonly top: number;
  /** PostgreSQL cancels a statement that takes longer. */
  readonly timeoutMs: number;
}

const PLAN_LINES = 6;
/** `query_canceled`. */
const CANCELLED = '57014';

/**
 * Runs the queries of a list with values of the current rows, and returns a text for each of the most expensive ones. Only
 * reads: PostgreSQL refuses everything else in this session.
 *
 * @param served the list, once for each set of properties that routes fix
 */
export const explainList = (
  url: string,
  served: readonly ServedList[],
  metadata: EntityMetadata,
  { top, timeoutMs }: CostOptions,
): Promise<string[]> =>
  withClient(readPostgresUrl(url), async (client) => {
    await client.query(`set statement_timeout = ${timeoutMs}; set default_transaction_read_only = on`);
    const costs: QueryCost[] = [];
    for await (const [text, statement] of queriesOf(client, served, metadata))
      costs.push(await measure(client, text, statement));
    // The first run may have waited for the disk. Others than these are not close to the most expensive ones.
    const repeated: QueryCost[] = [];
    for (const cost of mostExpensive(costs, 3 * top)) {
      const again = cost.ms === Infinity ? cost : await measure(client, cost.text, cost.statement);
      repeated.push(again.ms < cost.ms ? again : cost);
    }
    return mostExpensive(repeated, top).map((cost) => describeCost(cost, timeoutMs));
  });

const mostExpensive = (costs: readonly QueryCost[], count: number): QueryCost[] =>
  costs.toSorted((one, other) => other.ms - one.ms).slice(0, count);

/** Yields the statement of each combination at each position, with a text that names both. */
async function* queriesOf(
  client: Client,
  served: readonly ServedList[],
  metadata: EntityMetadata,
): AsyncGenerator<[text: string, statement: PlannedStatement]> {
  const table = new EntityTable(metadata);
  const current = await readCurrentValues(client, metadata);
  const valuesOf = (filter: ListFilter) => currentValues(filter, metadata, current);
  // The statistics of a table do not tell which parents a caller has.
  const withoutParents = served.filter(({ limit = [] }) => !limit.flat().some((one) => 'parent' in one));
  for (const { list, fixed, limit = [] } of withoutParents) {
    const limited = limit.flat().map(({ property }) => property);
    for (const values of currentFixedFilters([...fixed, ...limited], metadata, current)) {
      const within = values.map(({ property, value }) => `${property} ${String(value)}, `).join('');
      const ofCaller = values.slice(fixed.length).map(({ property, value }) => ({ property, ids: [value] }));
      const parts = {
        fixedFilters: values.slice(0, fixed.length),
        ...(limited.length > 0 && { limit: [ofCaller] }),
      };
      for (const combination of listCombinations({ list, sorts: list.sorts, ...parts, valuesOf }))
        for await (const [position, query] of positionsOf(client, table, combination))
          yield [`${combination.text} ${within}${position}`, listStatement(table, query)];
    }
  }
}

/** Yields the first, middle and last page by number, and the first and middle page by cursor. */
async function* positionsOf(
  client: Client,
  table: EntityTable,
  { at, sort }: Combination,
): AsyncGenerator<[position: string, query: ReturnType<Combination['at']>]> {
  const first = at('page=1');
  yield ['page 1', first];
  yield ['first page by cursor', at('cursor=')];
  const [counted] = await rowsOf(client, listStatement(table, first), '"listTotal"');
  const [total = 0] = counted ?? [];
  const pages = Math.ceil(Number(total) / first.limit);
  if (pages < 3) return;
  yield ['page in the middle', at(`page=${Math.ceil(pages / 2)}`)];
  yield ['last page', at(`page=${pages}`)];
  // Rows do not show their relevance, which the cursor would contain.
  if (sort === 'relevance') return;
  const row = listStatement(table, at(`page=${Math.ceil(Number(total) / 2)}&limit=1`));
  const keys = first.sort.map(({ property }) => `"${property}"::text`).join(', ');
  const [after] = await rowsOf(client, row, keys);
  if (after) yield ['middle page by cursor', { ...first, position: { style: 'cursor', after } }];
}

/** Returns some columns of the rows of a statement, or no rows if PostgreSQL cancels it. */
async function rowsOf(
  client: Client,
  { text, values }: PlannedStatement,
  columns: string,
): Promise<(string | null)[][]> {
  const query = {
    text: `select ${columns} from (${text}) as page`,
    values: [...values],
    rowMode: 'array' as const,
  };
  const result = await client.query<(string | null)[]>(query).catch(ignoreCancelled);
  return result?.rows ?? [];
}

function ignoreCancelled(error: Error & { readonly code?: string }): undefined {
  if (error.code !== CANCELLED) throw error;
}

/** A connection may use either plan of a prepared statement, so the one that takes longer counts. */
async function measure(client: Client, text: string, statement: PlannedStatement): Promise<QueryCost> {
  const plans =
    (await explainPlans(client, statement).catch(ignoreCancelled)) ??
    (await explainPlans(client, statement, 'costs'));
  const costs = plans.map(({ Plan: plan, 'Execution Time': ms = Infinity }, i) => {
    return { text, statement, ms, plan, isGeneric: i === 1 };
  });
  return costs.reduce((one, other) => (other.ms >= one.ms ? other : one));
}

function describeCost({ text, ms, plan, isGeneric }: QueryCost, timeoutMs: number): string {
  const cost =
    ms === Infinity
      ? `cancelled after ${timeoutMs} ms`
      : `${ms.toFixed(1)} ms, ${buffersOf(plan)} buffers, ${totalRows(plan)} rows read`;
  const lines = planLines(plan).slice(0, PLAN_LINES);
  const planned = isGeneric ? ', by the plan for all values' : '';
  return [text, `  ${cost}${planned}`, ...lines.map((line) => `    ${line}`)].join('\n');
}
