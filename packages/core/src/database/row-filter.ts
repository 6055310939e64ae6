import { EntityTable } from './entity-table.js';

/** The condition that a property of a row is one of several ids. */
export interface IdCondition {
  readonly property: string;
  readonly ids: readonly number[];
}

/**
 * Selects rows by alternatives. A row must match every condition of at least one alternative. `null` selects all rows.
 */
export type Alternatives = readonly (readonly IdCondition[])[] | null;

/** The rows of a table that a statement may read or write. Ids in columns of the rows select them. */
export interface RowFilter {
  /** The statement may not read or write rows that match any of these conditions. */
  readonly except: readonly IdCondition[];
  readonly anyOf: Alternatives;
}

export const matchesException = ({ except }: RowFilter, row: object): boolean =>
  except.some((term) => matchesIds(term, row));

export function matchesAnyAlternative(alternatives: Alternatives, row: object): boolean {
  return alternatives === null || alternatives.some((terms) => terms.every((term) => matchesIds(term, row)));
}

/** Adds a parameter to a statement, and returns its placeholder with a cast to its type. */
export type AddParameter = (value: unknown, type: string) => string;

export type RowFilterSql = Readonly<Record<'conditions' | 'excepted', readonly string[]>>;

/**
 * Builds the SQL of a filter. A row must match all `conditions`, which include the exceptions. The rows that the filter
 * excepts match one of `excepted`. An exception does not apply to a row whose column is null.
 */
export function rowFilterSql(
  table: EntityTable,
  { except, anyOf }: RowFilter,
  add: AddParameter,
): RowFilterSql {
  const compare = ({ property, ids }: IdCondition): string => {
    const { sql, type } = table.operand(property);
    // Use `=` for one id, so that PostgreSQL can use an index that is ordered by another column.
    return ids.length === 1 ? `${sql} = ${add(ids[0], type)}` : `${sql} = any(${add(ids, `${type}[]`)})`;
  };
  const excepted = except.map(compare);
  const conditions = excepted.map((condition) => `(${condition}) is not true`);
  const alternatives = anyOf?.map((terms) => `(${terms.map(compare).join(' and ')})`);
  if (alternatives) conditions.push(alternatives.length > 0 ? `(${alternatives.join(' or ')})` : 'false');
  return { conditions, excepted };
}

const matchesIds = ({ property, ids }: IdCondition, row: object): boolean =>
  ids.includes((row as Readonly<Record<string, unknown>>)[property] as number);
