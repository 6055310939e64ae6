import { EntityTable } from './entity-table.js';

export interface IdCondition {
  readonly property: string;
  readonly ids: readonly number[];
}

/** Rows that fulfil every term of at least one of these alternatives; `null`: all rows. */
export type Alternatives = readonly (readonly IdCondition[])[] | null;

/** A part of a table's rows, told by the ids that they hold: what a statement may read or write. */
export interface RowFilter {
  /** Rows that match any of these are not in it. */
  readonly except: readonly IdCondition[];
  readonly anyOf: Alternatives;
}

export const matchesException = ({ except }: RowFilter, row: object): boolean =>
  except.some((term) => matchesIds(term, row));

export function matchesAnyAlternative(alternatives: Alternatives, row: object): boolean {
  return alternatives === null || alternatives.some((terms) => terms.every((term) => matchesIds(term, row)));
}

/** Takes a parameter of a statement, gives its placeholder with its type. */
export type AddParameter = (value: unknown, type: string) => string;

export type RowFilterSql = Readonly<Record<'conditions' | 'excepted', readonly string[]>>;

/** The conditions of a scope, to be joined by `and`, and those of what it excepts. A row that belongs to nothing is in it. */
export function rowFilterSql(
  table: EntityTable,
  { except, anyOf }: RowFilter,
  add: AddParameter,
): RowFilterSql {
  const compare = ({ property, ids }: IdCondition): string => {
    const { sql, type } = table.operand(property);
    // Of one id, a comparison that an index in the order of another column answers.
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
