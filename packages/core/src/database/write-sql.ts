import { NO_SUCH_ID } from '../fields/parse-id.pipe.js';
import { WritePreconditions } from '../http/caching/preconditions.js';
import { prepared, Statement } from './sql-executor.js';
import { AddParameter, limitsRows, ParentCondition, RowFilter, rowFilterSql } from './row-filter.js';
import { EntityTable } from './entity-table.js';
import { NEXT_VERSION } from './version-trigger.js';
import { currentUserSql, referenceSql, WriteGuard } from './write-guard.js';

export type ColumnValues = Readonly<Record<string, unknown>>;

/** The row to write: its id, and the values that other columns must have. */
export type RowKey = ColumnValues & { readonly id: number | string };

/** The rows that a write may change, and what it must respect in other tables. */
export type WriteScope = RowFilter & { readonly guard?: WriteGuard };

/**
 * Builds the statement that inserts one row and returns its stored columns. A column without a value gets its default. It
 * inserts nothing if the user of the guard has changed.
 */
export function insertStatement(table: EntityTable, row: ColumnValues, guard?: WriteGuard): Statement {
  const values: unknown[] = [];
  const { names, placeholders } = assignmentsSql(table, row, values, guard, true);
  const given = guard?.user
    ? `select ${placeholders} where ${currentUserSql(table, guard.user, parameterAdder(values))}`
    : `values (${placeholders})`;
  const source = names ? `(${names}) ${given}` : 'default values';
  const text = returningSql(table, `insert into ${table.name} ${source}`);
  return guard && guard.references.size > 0 ? { text, values } : table.writes.statement(text, values);
}

const parameterAdder =
  (values: unknown[]): AddParameter =>
  (value, type) =>
    `$${values.push(value)}::${type}`;

/**
 * SQL that runs a write and returns the stored columns of the written row. A `select` of its own converts them, because a
 * table that is distributed over several servers allows only immutable functions in `returning`.
 */
const returningSql = (table: EntityTable, write: string): string =>
  `with written as (${write} returning *) select ${table.returning} from written`;

/**
 * Builds the statement that changes one row if its preconditions hold and a value differs. The same statement checks
 * and changes the row, so if several requests send the same ETag, only one succeeds.
 */
export function updateStatement(
  table: EntityTable,
  key: RowKey,
  scope: WriteScope,
  changes: ColumnValues,
  conditions: WritePreconditions,
): Statement {
  const values: unknown[] = [];
  const ofKey = rowConditions(table, key, scope, values);
  const { names, placeholders, settings } = assignmentsSql(table, changes, values, scope.guard);
  const text =
    `update ${table.name} set ${settings}, ${NEXT_VERSION} ` +
    `where ${ofKey} and (${names}) is distinct from (${placeholders})${preconditionSql(conditions, values)}`;
  const returning = returningSql(table, text);
  const isOfCaller = limitsRows(scope) || (scope.guard?.references.size ?? 0) > 0;
  return isOfCaller ? { text: returning, values } : table.writes.statement(returning, values);
}

/**
 * Builds the statement that reads one row.
 * @param conditions conditions on parents of the row. The columns `matches0`, `matches1` and so on say whether the row matches them
 */
export function findStatement(
  table: EntityTable,
  key: RowKey,
  conditions: readonly ParentCondition[] = [],
): Statement {
  const values: unknown[] = [];
  const ofKey = keyConditions(table, key, values);
  const add = parameterAdder(values);
  const matches = conditions.map((condition, i) => {
    const { conditions: sql } = rowFilterSql(table, { except: [], anyOf: [[condition]] }, add);
    return `${sql.join(' and ')} as matches${i}`;
  });
  const columns = [table.selectAll, ...matches].join(', ');
  return prepared(`select ${columns} from ${table.name} where ${ofKey}`, values);
}

/** Builds the statement that reads one row. Its column `isUnchanged` is true if the row already has the new values. */
export function compareStatement(table: EntityTable, key: RowKey, changes: ColumnValues): Statement {
  const values: unknown[] = [];
  const ofKey = keyConditions(table, key, values);
  const { names, placeholders } = assignmentsSql(table, changes, values);
  const isUnchanged = `(${names}) is not distinct from (${placeholders}) as "isUnchanged"`;
  return { text: `select ${table.selectAll}, ${isUnchanged} from ${table.name} where ${ofKey}`, values };
}

/** Builds the SQL of changes: the column names, the placeholders of the new values, and the assignments for `set`. */
function assignmentsSql(
  table: EntityTable,
  changes: ColumnValues,
  values: unknown[],
  guard?: WriteGuard,
  isNew = false,
) {
  // Sorted, so that bodies with the same members in another order use the same statement.
  const properties = Object.keys(changes).sort();
  const names = properties.map((property) => table.column(property).name);
  const add = parameterAdder(values);
  const placeholders = properties.map((property) => {
    const { sql, type } = table.column(property);
    const rows = guard?.references.get(property);
    if (rows === null && isNew) return `${NO_SUCH_ID}::${type}`;
    const placeholder = add(table.parameter(property, changes[property]), type);
    if (rows === undefined || (rows && changes[property] === null)) return placeholder;
    return referenceSql(table, rows, placeholder, isNew ? null : sql, add);
  });
  const settings = names.map((name, i) => `${name} = ${placeholders[i] as string}`);
  return { names: names.join(', '), placeholders: placeholders.join(', '), settings: settings.join(', ') };
}

/** Builds the statement that locks one row until the end of the transaction, and returns its stored columns. */
export function lockStatement(table: EntityTable, key: RowKey, scope: WriteScope): Statement {
  const values: unknown[] = [];
  const text = `select ${table.returning} from ${table.name} where ${rowConditions(table, key, scope, values)} for update`;
  return preparedIfUnscoped(scope, text, values);
}

/**
 * Builds the statement that deletes one row if its preconditions hold. Because it needs no earlier lock, it rarely
 * deadlocks with transactions that lock rows in another order.
 */
export function deleteStatement(
  table: EntityTable,
  key: RowKey,
  scope: WriteScope,
  conditions: WritePreconditions,
): Statement {
  const values: unknown[] = [];
  const ofRow = `${rowConditions(table, key, scope, values)}${preconditionSql(conditions, values)}`;
  return preparedIfUnscoped(scope, `delete from ${table.name} where ${ofRow} returning "id"`, values);
}

/** Prepares a statement only if no scope limits its rows. Only then do all callers share a few SQL texts. */
const preparedIfUnscoped = (scope: RowFilter, text: string, values: unknown[]): Statement =>
  limitsRows(scope) ? { text, values } : prepared(text, values);

function keyConditions(table: EntityTable, key: RowKey, values: unknown[]): string {
  // `is not distinct from` would match null and other values alike, but PostgreSQL uses no index for it.
  const terms = Object.entries(key).map(([property, value]) => {
    const { name } = table.column(property);
    return value === null ? `${name} is null` : `${name} = $${values.push(value)}`;
  });
  return terms.join(' and ');
}

function rowConditions(table: EntityTable, key: RowKey, scope: WriteScope, values: unknown[]): string {
  const terms = [keyConditions(table, key, values)];
  const add = parameterAdder(values);
  if (limitsRows(scope)) terms.push(...rowFilterSql(table, scope, add).conditions);
  if (scope.guard?.user) terms.push(currentUserSql(table, scope.guard.user, add));
  return terms.join(' and ');
}

function preconditionSql(
  { versions, unmodifiedSince, noneOf }: WritePreconditions,
  values: unknown[],
): string {
  const terms: string[] = [];
  if (versions) terms.push(`"version" = any($${values.push(versions)}::int[])`);
  if (unmodifiedSince !== null) {
    const limit = `$${values.push(unmodifiedSince)}::double precision`;
    terms.push(`floor(extract(epoch from "updated_at")) * 1000 <= ${limit}`);
  }
  if (noneOf === '*') terms.push('false');
  else if (noneOf) terms.push(`not ("version" = any($${values.push(noneOf)}::int[]))`);
  return terms.map((term) => ` and ${term}`).join('');
}
