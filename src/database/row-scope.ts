import { Table } from './table.js';

/** Rows that hold one of some ids in a property. */
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

/** Where the key of a row carries the scope that the row must be in. A symbol: it is none of the row's properties. */
export const SCOPE = Symbol('scope');

/** Whether a row is left out of a scope by name. */
export function isExcepted({ except }: RowScope, row: object): boolean {
  return except.some((term) => isAmong(term, row));
}

/** Whether a row fulfils one of some alternatives. */
export function isAmongAny(alternatives: Alternatives, row: object): boolean {
  return alternatives === null || alternatives.some((terms) => terms.every((term) => isAmong(term, row)));
}

/** The values of a scope's conditions, in the order in which `scopeConditions` takes them. */
export function scopeValues({ except, anyOf }: RowScope): unknown[] {
  return [...except, ...(anyOf ?? []).flat()].map(({ ids }) => (ids.length === 1 ? ids[0] : ids));
}

/** The same for scopes whose conditions differ in nothing but their values. */
export function scopeShape({ except, anyOf }: RowScope): string {
  const shapeOf = ({ property, ids }: IdsIn): string => `${property}${ids.length === 1 ? '=' : '@'}`;
  const alternatives = anyOf === null ? 'all' : anyOf.map((terms) => terms.map(shapeOf).join('&')).join('|');
  return `${except.map(shapeOf).join(',')};${alternatives}`;
}

/**
 * The conditions that a row of a table is in a scope, to be joined by `and`.
 *
 * @param add takes a parameter, gives its placeholder with its type
 */
export function scopeConditions(
  table: Table,
  { except, anyOf }: RowScope,
  add: (value: unknown, type: string) => string,
): string[] {
  const among = ({ property, ids }: IdsIn): string => {
    const { sql } = table.operand(property);
    // Of one id, a comparison that an index in the order of another column answers.
    return ids.length === 1 ? `${sql} = ${add(ids[0], 'int')}` : `${sql} = any(${add(ids, 'int[]')})`;
  };
  // A row that belongs to nothing is not among what is left out.
  const conditions = except.map((term) => `(${among(term)}) is not true`);
  if (anyOf === null) return conditions;
  const alternatives = anyOf.map((terms) => `(${terms.map(among).join(' and ')})`);
  conditions.push(alternatives.length > 0 ? `(${alternatives.join(' or ')})` : 'false');
  return conditions;
}

const isAmong = ({ property, ids }: IdsIn, row: object): boolean =>
  ids.includes((row as Readonly<Record<string, unknown>>)[property] as number);
