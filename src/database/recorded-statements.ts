import { QueryResult, QueryRunner } from 'typeorm';
import { Query } from 'typeorm/driver/Query.js';

/** A statement that a migration would run. */
export interface PlannedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Statements by which migrations only read, to decide what to do. */
const READS = /^\s*(select|with|show|table|values|explain)\b/i;

/**
 * Records the statements of a migration without running them. What it reads it is given, in transactions that can write
 * nothing; a read of what the migrations before it would have made is empty, so statements that depend on rows may be
 * missing.
 *
 * @param runner is the migration's
 * @param work runs the migration on it
 */
export async function recordStatements(
  runner: QueryRunner,
  work: () => Promise<unknown>,
): Promise<PlannedStatement[]> {
  const query = runner.query.bind(runner);
  // TypeORM's own methods (`createTable`, `addColumn`) keep their statements in memory from now on.
  runner.enableSqlMemory();
  const recorded = runner.getMemorySql().upQueries;
  const record = async (text: string, values: unknown[] = [], isStructured = false): Promise<unknown> => {
    const nothing = isStructured ? Object.assign(new QueryResult(), { raw: [] }) : [];
    if (READS.test(text))
      return readOnly(query, () => (isStructured ? query(text, values, true) : query(text, values))).catch(
        () => nothing,
      );
    recorded.push(new Query(text, values));
    return nothing;
  };
  runner.query = record as QueryRunner['query'];
  try {
    await work();
    return recorded.map(({ query: text, parameters }) => ({ text, values: (parameters ?? []) as unknown[] }));
  } finally {
    runner.query = query;
    runner.disableSqlMemory();
  }
}

/** Reads in a transaction that can write nothing, and that leaves the session as it was. */
async function readOnly(query: QueryRunner['query'], read: () => Promise<unknown>): Promise<unknown> {
  await query('begin transaction read only');
  try {
    return await read();
  } finally {
    await query('rollback');
  }
}
