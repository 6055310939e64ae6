import { WriteConditions } from '#src/common/caching/preconditions.js';

import { Statement } from './connection.js';
import { statementName, Table } from './table.js';

/** The values of some properties of a row. */
export type Values = Readonly<Record<string, unknown>>;

/** Inserts one row and gives it back whole. */
export function insertStatement(table: Table, values: Values): Statement {
  const columns = Object.keys(values).map((property) => table.column(property).name);
  const placeholders = columns.map((_, i) => `$${i + 1}`);
  const text = `insert into ${table.name} (${columns.join(', ')}) values (${placeholders.join(', ')}) returning ${table.selection}`;
  return { text, values: Object.values(values), name: statementName(text) };
}

/**
 * Changes one row if its preconditions hold and something of it would change, and gives it back whole; else gives
 * nothing. Preconditions, change, version and time are one statement: of many with one ETag, one wins.
 */
export function updateStatement(
  table: Table,
  id: number,
  changes: Values,
  conditions: WriteConditions,
): Statement {
  const columns = Object.keys(changes).map((property) => table.column(property));
  const values: unknown[] = [id, ...Object.values(changes)];
  const placeholders = columns.map(({ type }, i) => `$${i + 2}::${type}`);
  const names = columns.map(({ name }) => name);
  const settings = names.map((name, i) => `${name} = ${placeholders[i] as string}`);
  const text =
    `update ${table.name} set ${settings.join(', ')}, "version" = "version" + 1, ` +
    `"updated_at" = greatest("updated_at", clock_timestamp()) ` +
    `where "id" = $1 and (${names.join(', ')}) is distinct from (${placeholders.join(', ')})` +
    `${preconditions(conditions, values)} returning ${table.selection}`;
  return { text, values, name: statementName(text) };
}

/** Deletes one row if its preconditions hold, and gives its id; else gives nothing. */
export function deleteStatement(table: Table, id: number, conditions: WriteConditions): Statement {
  const values: unknown[] = [id];
  const text = `delete from ${table.name} where "id" = $1${preconditions(conditions, values)} returning "id"`;
  return { text, values, name: statementName(text) };
}

function preconditions({ versions, unmodifiedSince, noneOf }: WriteConditions, values: unknown[]): string {
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
