import { Table } from './table.js';

export interface IdsIn {
  readonly property: string;
  readonly ids: readonly number[];
}

/** Rows that fulfil every term of at least one of these alternatives; `null`: all rows. */
export type Alternatives = readonly (readonly IdsIn[])[] | null;

/** A part of a table's rows, told by the ids that they hold: what a statement may read or write. */
export interface RowScope {
  /** Rows that match any of these are not in it. */
  readonly except: readonly IdsIn[];
  readonly anyOf: Alternatives;
}

export const isExcepted = ({ except }: RowScope, row: object): boolean =>
  except.some((term) => isAmong(term, row));

export function isAmongAny(alternatives: Alternatives, row: object): boolean {
  return alternatives === null || alternatives.some((terms) => terms.every((term) => isAmong(term, row)));
}

/** A scope as SQL: its rows fulfil none of the conditions in `except`, and one of those in `anyOf`. */
export interface ScopeSql {
  readonly except: readonly string[];
  readonly anyOf: readonly string[] | null;
}

/** @param add takes a parameter, gives its placeholder with its type */
export function scopeSql(
  table: Table,
  { except, anyOf }: RowScope,
  add: (value: unknown, type: string) => string,
): ScopeSql {
  const compare = ({ property, ids }: IdsIn): string => {
    const { sql, type } = table.operand(property);
    // Of one id, a comparison that an index in the order of another column answers.
    return ids.length === 1 ? `${sql} = ${add(ids[0], type)}` : `${sql} = any(${add(ids, `${type}[]`)})`;
  };
  return {
    except: except.map(compare),
    anyOf: anyOf && anyOf.map((terms) => `(${terms.map(compare).join(' and ')})`),
  };
}

export const anyOfCondition = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `(${conditions.join(' or ')})` : 'false';

/** The conditions that a row is in a scope, to be joined by `and`. A row that belongs to nothing is not left out. */
export function scopeConditions({ except, anyOf }: ScopeSql): string[] {
  const kept = except.map((condition) => `(${condition}) is not true`);
  return anyOf === null ? kept : [...kept, anyOfCondition(anyOf)];
}

const isAmong = ({ property, ids }: IdsIn, row: object): boolean =>
  ids.includes((row as Readonly<Record<string, unknown>>)[property] as number);
