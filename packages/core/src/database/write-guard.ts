import type { FieldClass } from '../fields/field.js';
import { NO_SUCH_ID } from '../fields/parse-id.pipe.js';
import { EntityTable } from './entity-table.js';
import { AddParameter, RowFilter, rowFilterSql } from './row-filter.js';
import { Statement } from './sql-executor.js';

/** The rows of a table to which a property may refer. */
export interface ReferableRows {
  readonly entity: FieldClass;
  readonly filter: RowFilter;
}

/** The user who writes, with values that must still be current. */
export interface WritingUser {
  readonly entity: FieldClass;
  readonly id: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The conditions in other tables for a write by a caller. The statement of the write checks them. */
export interface WriteGuard {
  /** The rows to which properties with foreign keys may refer. `null` means that the property may not refer to a new row. */
  readonly references: ReadonlyMap<string, ReferableRows | null>;
  /** The write changes nothing if the values of this user have changed. */
  readonly user: WritingUser | undefined;
}

/**
 * Returns SQL for the new value of a property with a foreign key. If the property may not refer to the row, the value is an
 * id that no row has. PostgreSQL then reports the same violation of the foreign key as for a row that does not exist.
 * @param current the SQL of the current value, which a row may keep, or `null` for a new row
 */
export function referenceSql(
  table: EntityTable,
  rows: ReferableRows | null,
  placeholder: string,
  current: string | null,
  add: AddParameter,
): string {
  const found = rows
    ? `coalesce((${referableIdSql(table, rows, placeholder, add)}), ${NO_SUCH_ID})`
    : `${NO_SUCH_ID}`;
  return current === null
    ? found
    : `case when ${current} is not distinct from ${placeholder} then ${placeholder} else ${found} end`;
}

function referableIdSql(
  table: EntityTable,
  { entity, filter }: ReferableRows,
  placeholder: string,
  add: AddParameter,
): string {
  const target = table.tableOf(entity);
  const id = target.operand('id').sql;
  const { conditions } = rowFilterSql(target, filter, add);
  return `select ${id} from ${target.name} where ${[`${id} = ${placeholder}`, ...conditions].join(' and ')}`;
}

/** Returns the condition that the values of a user are current. Until the transaction ends, nobody can change the user. */
export function currentUserSql(
  table: EntityTable,
  { entity, id, values }: WritingUser,
  add: AddParameter,
): string {
  const users = table.tableOf(entity);
  const conditions = Object.entries(values).map(([property, value]) => {
    const { sql, type } = users.column(property);
    return `${sql} is not distinct from ${add(users.parameter(property, value), type)}`;
  });
  const ofId = `${users.column('id').sql} = ${add(id, 'bigint')}`;
  return `exists (select from ${users.name} where ${[ofId, ...conditions].join(' and ')} for share)`;
}

/** Returns the statement that finds a row if the values of a user are current. */
export function currentUserStatement(table: EntityTable, user: WritingUser): Statement {
  const values: unknown[] = [];
  const add: AddParameter = (value, type) => `$${values.push(value)}::${type}`;
  return { text: `select 1 where ${currentUserSql(table, user, add)}`, values };
}
