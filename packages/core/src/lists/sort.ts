import { Operand, EntityTable } from '../database/entity-table.js';
import { truncateText } from '../http/errors/truncate-text.js';

export type Direction = 'asc' | 'desc';

export interface SortTerm {
  readonly property: string;
  readonly direction: Direction;
}

/**
 * Reads `<field>:<asc|desc>,…`. Adds `id` at the end, in the direction of the field before it, so that one index serves
 * both. Leaves out fields after `id`, which is unique: they would change nothing.
 * @returns a message if the text is faulty
 */
export function parseSort(text: string, sorts: readonly string[]): readonly SortTerm[] | string {
  const terms: SortTerm[] = [];
  for (const part of text.split(',')) {
    const [field = '', direction, ...rest] = part.split(':');
    if (!sorts.includes(field)) return `must sort by ${sorts.join(', ')} (got ${quoteValue(field)})`;
    if ((direction !== 'asc' && direction !== 'desc') || rest.length > 0)
      return `must be ${field}:asc or ${field}:desc (got ${quoteValue(part)})`;
    if (terms.some(({ property }) => property === field))
      return `must name each field once (got ${field} twice)`;
    terms.push({ property: field, direction });
  }
  const byId = terms.findIndex(({ property }) => property === 'id');
  if (byId >= 0) return terms.slice(0, byId + 1);
  const last = terms.at(-1) as SortTerm;
  return [...terms, { property: 'id', direction: last.direction }];
}

const quoteValue = (text: string): string => JSON.stringify(truncateText(text, 40));

/** The pattern of a sort in JSON Schema. It accepts a field that is named twice, because it avoids look-ahead. */
export function sortPattern(sorts: readonly string[]): string {
  const term = `(?:${sorts.join('|')}):(?:asc|desc)`;
  return sorts.length > 1 ? `^${term}(?:,${term}){0,${sorts.length - 1}}$` : `^${term}$`;
}

/** The order of all text: as people sort it, whatever the collation of its column or the locale of the database. */
const COLLATION = '"und-x-icu"';
const TEXT = /^(?:character varying|varchar|text|citext)$/;
/** Types with an order that a cursor can continue in. A name in quotes is that of an enum. */
const SORTABLE =
  /^(?:character varying|varchar|text|citext|numeric|double precision|real|date|timestamp.*|integer|int|smallint|bigint|bool(?:ean)?|uuid|"[^"]+")$/;
/** Types with infinity, which replaces null: it comes after every value, in either direction. */
const INFINITE = /^(?:numeric|double|real|date|timestamp)/;
/** For other types, any value replaces null: rows are sorted by "is null" first. */
const NULL_FILLERS: readonly (readonly [type: RegExp, filler: string])[] = [
  [TEXT, ''],
  [/^(?:integer|int|smallint|bigint)/, '0'],
  [/^bool/, 'false'],
  [/^uuid/, '00000000-0000-0000-0000-000000000000'],
];

/** An expression that rows are sorted by, which is never null. */
export interface SortKey {
  readonly expression: string;
  readonly direction: Direction;
  /** SQL of the expression's value in the row that a cursor stands at. */
  readonly value: string;
}

/**
 * The keys that rows are sorted by. Since no key is ever null, the rows after a cursor are found by ordinary comparisons.
 * @param values the placeholders of the sorted properties in the row that a cursor stands at; leave them out if you only
 *   need the order
 * @throws Error for a type without an order
 */
export function buildSortKeys(
  table: Pick<EntityTable, 'operand'>,
  sort: readonly SortTerm[],
  values: readonly string[] = [],
): SortKey[] {
  return sort.flatMap(({ property, direction }, i) => {
    const operand = table.operand(property);
    const filled = sortExpressions(operand, direction, values[i] ?? 'null');
    return sortExpressions(operand, direction, operand.sql).map((expression, j) => ({
      expression,
      direction,
      value: filled[j] as string,
    }));
  });
}

function sortExpressions({ type, isNullable }: Operand, direction: Direction, operand: string): string[] {
  if (!SORTABLE.test(type)) throw new Error(`rows cannot be sorted by a value of type ${type}`);
  const collate = TEXT.test(type) ? ` collate ${COLLATION}` : '';
  if (!isNullable) return [operand + collate];
  const isUp = direction === 'asc';
  if (INFINITE.test(type)) return [`coalesce(${operand}, '${isUp ? '' : '-'}Infinity'::${type})`];
  const filler = NULL_FILLERS.find(([types]) => types.test(type));
  if (!filler) throw new Error(`a value of type ${type} must not be nullable to be sorted by`);
  const isLast = `(${operand} is ${isUp ? '' : 'not '}null)`;
  return [isLast, `coalesce(${operand}, '${filler[1]}'::${type})${collate}`];
}
