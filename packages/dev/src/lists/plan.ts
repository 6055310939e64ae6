import { Client, escapeLiteral } from 'pg';

/** The part of a plan (`explain (analyze, buffers, format json)`) that is read. */
export interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Subplan Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Heap Fetches'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

/** A plan with the milliseconds that the statement took, if it ran. */
export interface ExplainedPlan {
  readonly Plan: Plan;
  readonly 'Execution Time'?: number;
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
 * @param options of `explain`. Without `analyze`, the statement does not run, and the plans have no rows and no time
 */
export async function explainPlans(
  client: Client,
  { text, values, name }: PlannedStatement,
  options = 'analyze, buffers, timing off',
): Promise<ExplainedPlan[]> {
  const literals = values.map((value) =>
    value === null
      ? 'null'
      : escapeLiteral(Array.isArray(value) ? arrayText(value) : String(value as string | number)),
  );
  const execute = `execute explained${literals.length > 0 ? `(${literals.join(', ')})` : ''}`;
  const modes = name === undefined ? ['custom'] : ['custom', 'generic'];
  const explains = modes.map(
    (mode) => `set plan_cache_mode = force_${mode}_plan; explain (${options}, format json) ${execute};`,
  );
  // One message, because there are hundreds of statements. `pg` returns an array with the result of each. A statement that
  // failed before is still prepared.
  const results = [
    await client.query<{ 'QUERY PLAN'?: [ExplainedPlan] }>(
      `deallocate all; prepare explained as ${text}; ${explains.join(' ')} reset plan_cache_mode`,
    ),
  ].flat();
  return results.flatMap(({ rows }) => rows.flatMap((row) => row['QUERY PLAN'] ?? []));
}

const arrayText = (items: readonly unknown[]): string =>
  `{${items.map((item) => `"${String(item).replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;

/**
 * Returns how many rows of some tables a plan reads from the tables themselves, and by which kinds of scans. Omits rows that it
 * only counts for the total of the list.
 */
export function tableReads(
  plan: Plan,
  tables: readonly string[],
): { readonly rows: number; readonly scans: string[] } {
  if (plan['Subplan Name'] === 'CTE counted') return { rows: 0, scans: [] };
  const children = (plan.Plans ?? []).map((child) => tableReads(child, tables));
  const own = tables.includes(plan['Relation Name'] ?? '') ? readByScan(plan) : 0;
  return {
    rows: children.reduce((sum, { rows }) => sum + rows, own),
    scans: [...(own > 0 ? [plan['Node Type']] : []), ...children.flatMap(({ scans }) => scans)],
  };
}

function readByScan(plan: Plan): number {
  return plan['Node Type'] === 'Index Only Scan' ? (plan['Heap Fetches'] ?? 0) : scannedRows(plan);
}

/** Returns the rows that a scan finds or excludes. The rows of a plan are averages of its loops. */
function scannedRows(plan: Plan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = plan;
  return Math.round((plan['Actual Rows'] + filtered + rechecked) * plan['Actual Loops']);
}

/** Returns how many rows of tables a plan reads, from the tables themselves or from their indexes. */
export const totalRows = (plan: Plan): number =>
  (plan.Plans ?? []).reduce(
    (sum, child) => sum + totalRows(child),
    plan['Relation Name'] === undefined ? 0 : scannedRows(plan),
  );

/** Returns how many blocks a plan reads, from memory or from the disk. */
export const buffersOf = (plan: Plan): number => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];

/**
 * Returns a line for each node of a plan. The parts of a node that read the most rows come first. Omits the nodes that
 * PostgreSQL did not run.
 */
export function planLines(plan: Plan, indent = ''): string[] {
  const { 'Index Name': index, 'Relation Name': table, 'Subplan Name': name } = plan;
  if (plan['Actual Loops'] === 0) return [];
  const words = [
    name && `${name}:`,
    plan['Node Type'],
    index && `using ${index}`,
    table && `on ${table}`,
    table && plan['Actual Loops'] && `(${scannedRows(plan)} rows)`,
  ];
  return [
    indent + words.filter(Boolean).join(' '),
    ...(plan.Plans ?? [])
      .toSorted((one, other) => totalRows(other) - totalRows(one))
      .flatMap((child) => planLines(child, `${indent}  `)),
  ];
}
