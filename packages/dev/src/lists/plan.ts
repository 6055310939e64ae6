import { Client, escapeLiteral } from 'pg';

/** The part of a plan (`explain (analyze, buffers, format json)`) that is read. */
export interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Subplan Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Heap Fetches'?: number;
  readonly Plans?: readonly Plan[];
}

/** A statement as `listStatement()` builds it. It has a name if PostgreSQL keeps it prepared. */
export interface PlannedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string | undefined;
}

/**
 * Runs a statement and returns its plan for these values. For a prepared statement, also returns the plan for all values,
 * because a connection may use either.
 */
export async function explainPlans(
  client: Client,
  { text, values, name }: PlannedStatement,
): Promise<Plan[]> {
  const literals = values.map((value) =>
    value === null ? 'null' : escapeLiteral(String(value as string | number)),
  );
  const execute = `execute explained${literals.length > 0 ? `(${literals.join(', ')})` : ''}`;
  const modes = name === undefined ? ['custom'] : ['custom', 'generic'];
  const explains = modes.map(
    (mode) =>
      `set plan_cache_mode = force_${mode}_plan; explain (analyze, timing off, format json) ${execute};`,
  );
  // One message, because there are hundreds of statements. `pg` returns an array with the result of each.
  const results = [
    await client.query<{ 'QUERY PLAN'?: [{ Plan: Plan }] }>(
      `prepare explained as ${text}; ${explains.join(' ')} deallocate explained; reset plan_cache_mode`,
    ),
  ].flat();
  return results.flatMap(({ rows }) => rows.flatMap((row) => row['QUERY PLAN']?.[0].Plan ?? []));
}

/**
 * Returns how many rows of a table a plan reads from the table itself, and by which kinds of scans. Omits rows that it only
 * counts for the total of the list.
 */
export function tableReads(plan: Plan, table: string): { readonly rows: number; readonly scans: string[] } {
  if (plan['Subplan Name'] === 'CTE counted') return { rows: 0, scans: [] };
  const children = (plan.Plans ?? []).map((child) => tableReads(child, table));
  const own = plan['Relation Name'] === table ? readByScan(plan) : 0;
  return {
    rows: children.reduce((sum, { rows }) => sum + rows, own),
    scans: [...(own > 0 ? [plan['Node Type']] : []), ...children.flatMap(({ scans }) => scans)],
  };
}

/** The rows of a plan are averages of its loops. */
function readByScan(plan: Plan): number {
  if (plan['Node Type'] === 'Index Only Scan') return plan['Heap Fetches'] ?? 0;
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = plan;
  return Math.round((plan['Actual Rows'] + filtered + rechecked) * plan['Actual Loops']);
}
