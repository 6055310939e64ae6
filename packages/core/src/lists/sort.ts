import { Operand, EntityTable } from '../database/entity-table.js';
import { truncateText } from '../http/errors/truncate-text.js';

export type Direction = 'asc' | 'desc';

export interface SortTerm {
  readonly property: string;
  readonly direction: Direction;
}

/**
 * Reads `<field>:<asc|desc>,…`. Adds `id` at the end, in the same direction as the field before it, so that PostgreSQL
 * can use one index for both. Leaves out all fields after `id`, because ids are unique, and further fields would not
 * change the order.
 * @returns the terms, or a message if the text is faulty
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

/**
 * Returns the pattern of a sort for JSON Schema. The pattern also accepts a sort that names a field twice: only a
 * look-ahead could reject that, and some regular-expression engines lack it.
 */
export function sortPattern(sorts: readonly string[]): string {
  const term = `(?:${sorts.join('|')}):(?:asc|desc)`;
  return sorts.length > 1 ? `^${term}(?:,${term}){0,${sorts.length - 1}}$` : `^${term}$`;
}

/**
 * The collation for all text. It sorts text as people do, whatever the collation of the column or the locale of the
 * database.
 */
const COLLATION = '"und-x-icu"';
const TEXT = /^(?:character varying|varchar|text|citext)$/;
/** Types by which lists can be sorted. A name in quotes is the name of an enum. */
const SORTABLE =
  /^(?:character varying|varchar|text|citext|numeric|double precision|real|date|timestamp[^[]*|integer|int|smallint|bigint|bool(?:ean)?|uuid|"[^"]+")$/;
/**
 * Types that have an infinite value. It replaces null: `Infinity` comes last in ascending order, and `-Infinity` in
 * descending order.
 */
const INFINITE = /^(?:numeric|double|real|date|timestamp)/;
/** The values that replace null in other types. Any value would do, because rows are sorted by `is null` first. */
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
  /** The SQL for the value of the expression in the row after which the page begins. */
  readonly value: string;
}

/**
 * Builds the keys by which rows are sorted. No key is ever null, so ordinary comparisons can find the rows after a
 * cursor.
 * @param values the placeholders for the values of the sorted properties in the row after which the page begins. Omit
 *   them if you only need the order
 * @throws Error for a type without an order
 */
export function buildSortKeys(
  table: Pick<EntityTable, 'operand'>,
  sort: readonly SortTerm[],
  values: readonly string[] = [],
): SortKey[] {
  return sort.flatMap(({ property, direction }, i) => {
    const operand = table.operand(property);
    // Without placeholders, `value` of the keys is not used, so any SQL is good enough.
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
