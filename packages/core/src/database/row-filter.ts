import type { FieldClass } from '../fields/field.js';
import { EntityTable } from './entity-table.js';
import { QueryExecutor } from './sql-executor.js';

export type ColumnValue = string | number | boolean;

/** The condition that a property of a row is one of several values, which mostly are ids. If there are none, no row matches. */
export interface IdCondition {
  readonly property: string;
  readonly ids: readonly ColumnValue[];
}

/** The condition that a row belongs to one of the rows of another table that some alternatives select. */
export interface ParentCondition {
  /** The property of a row with the id of its parent. */
  readonly property: string;
  readonly parent: { readonly entity: FieldClass; readonly anyOf: Alternatives };
}

export type RowCondition = IdCondition | ParentCondition;

/**
 * Selects rows by alternatives. A row must match every condition of at least one alternative. `null` selects all rows.
 */
export type Alternatives = readonly (readonly RowCondition[])[] | null;

/** The rows of a table that a statement may read or write. Values in columns of the rows select them. */
export interface RowFilter {
  /** The statement may not read or write rows that match any of these conditions. */
  readonly except: readonly RowCondition[];
  readonly anyOf: Alternatives;
}

/** The conditions on parents that a row matches. Conditions on the row itself need no query, and are not included. */
export type MatchedParents = ReadonlySet<RowCondition>;
const NO_PARENTS: MatchedParents = new Set();

export const limitsRows = ({ except, anyOf }: RowFilter): boolean => except.length > 0 || anyOf !== null;

export const isParentCondition = (condition: RowCondition): condition is ParentCondition =>
  'parent' in condition;

/** Returns the conditions on parents that alternatives contain. */
export const parentConditions = (...all: readonly Alternatives[]): ParentCondition[] =>
  all.flatMap((alternatives) => alternatives?.flat().filter(isParentCondition) ?? []);

export const matchesException = (
  { except }: RowFilter,
  row: object,
  parents: MatchedParents = NO_PARENTS,
): boolean => except.some((condition) => matches(condition, row, parents));

export const matchesAnyAlternative = (
  alternatives: Alternatives,
  row: object,
  parents: MatchedParents = NO_PARENTS,
): boolean =>
  alternatives === null ||
  alternatives.some((conditions) => conditions.every((condition) => matches(condition, row, parents)));

/** Adds a parameter to a statement, and returns its placeholder with a cast to its type. */
export type AddParameter = (value: unknown, type: string) => string;

export interface RowFilterSql {
  /** A row must match all of these. They include the exceptions. */
  readonly conditions: readonly string[];
  /** The rows that the filter excepts match one of these. */
  readonly excepted: readonly string[];
  /** A row must match one of these; `null` if the filter selects all rows. Each has the conditions of one alternative. */
  readonly alternatives: readonly (readonly ConditionSql[])[] | null;
}

/** A condition as SQL. */
export interface ConditionSql {
  readonly property: string;
  readonly sql: string;
  /** The placeholder of the value, or of an array of the values. */
  readonly placeholder: string;
  readonly isArray: boolean;
  /** Returns the SQL of the condition for another value than that of the row. */
  readonly matches: (value: string) => string;
}

/**
 * Builds the SQL of a filter. A row must match all `conditions`, which include the exceptions. The rows that the filter
 * excepts match one of `excepted`. An exception does not apply to a row whose column is null.
 */
export function rowFilterSql(
  table: EntityTable,
  { except, anyOf }: RowFilter,
  add: AddParameter,
): RowFilterSql {
  const excepted = except.map((condition) => conditionSql(table, condition, add).sql);
  const conditions = excepted.map((condition) => `(${condition}) is not true`);
  const alternatives =
    anyOf?.map((terms) => terms.map((condition) => conditionSql(table, condition, add))) ?? null;
  if (alternatives) conditions.push(anyAlternativeSql(alternatives));
  return { conditions, excepted, alternatives };
}

/** Returns the SQL for the condition that a row matches one of several alternatives. */
export function anyAlternativeSql(alternatives: readonly (readonly ConditionSql[])[]): string {
  const texts = alternatives.map((terms) => `(${terms.map(({ sql }) => sql).join(' and ')})`);
  return texts.length > 0 ? `(${texts.join(' or ')})` : 'false';
}

/**
 * Whether a filter selects the row of an id. If the filter selects all rows, runs no statement.
 * @param lock `for share` keeps the row as it is until the transaction ends. Rows that the filter does not select are not locked
 */
export async function isSelected(
  table: EntityTable,
  filter: RowFilter,
  id: number,
  db: QueryExecutor,
  lock: '' | 'for share' = '',
): Promise<boolean> {
  if (!limitsRows(filter)) return true;
  const values: unknown[] = [id];
  const { conditions } = rowFilterSql(table, filter, (value, type) => `$${values.push(value)}::${type}`);
  const text = `select 1 from ${table.name} where ${['"id" = $1', ...conditions].join(' and ')} ${lock}`;
  return (await db.query({ text, values })).length > 0;
}

function conditionSql(table: EntityTable, condition: RowCondition, add: AddParameter): ConditionSql {
  const { property } = condition;
  const { sql, type } = table.operand(property);
  const toSql = (placeholder: string, isArray: boolean, matches: ConditionSql['matches']): ConditionSql => ({
    property,
    sql: matches(sql),
    placeholder,
    isArray,
    matches,
  });
  if (!isParentCondition(condition)) {
    const { ids } = condition;
    const isArray = ids.length !== 1;
    const placeholder = isArray ? add(ids, `${type}[]`) : add(ids[0], type);
    // Use `=` for one value, so that PostgreSQL can use an index that is ordered by another column.
    return toSql(
      placeholder,
      isArray,
      (value) => `${value} = ${isArray ? `any(${placeholder})` : placeholder}`,
    );
  }
  const { entity, anyOf } = condition.parent;
  const parent = table.tableOf(entity);
  const { conditions } = rowFilterSql(parent, { except: [], anyOf }, add);
  const id = parent.operand('id').sql;
  const selected = `from ${parent.name} where`;
  const ids = `array(select ${id} ${selected} ${conditions.join(' and ') || 'true'})`;
  return toSql(ids, true, (value) =>
    // Inside of a subselect of the same table, a column would be that of the parent.
    parent.name === table.name
      ? `${value} = any(${ids})`
      : `exists (select ${selected} ${[`${id} = ${value}`, ...conditions].join(' and ')})`,
  );
}

const matches = (condition: RowCondition, row: object, parents: MatchedParents): boolean =>
  isParentCondition(condition)
    ? parents.has(condition)
    : condition.ids.includes(valueOf(row, condition.property) as ColumnValue);

const valueOf = (row: object, property: string): unknown =>
  (row as Readonly<Record<string, unknown>>)[property];
