import { Operand, EntityTable } from '../database/entity-table.js';
import { truncateText } from '../http/errors/truncate-text.js';

export type Direction = 'asc' | 'desc';

export interface SortTerm {
  readonly property: string;
  readonly direction: Direction;
}

/**
 * Reads `<field>:<asc|desc>,…`, or says what is wrong. `id` is last, in the direction before it, so that one index serves
 * both; fields after an `id` that was sent change nothing.
 */
export function parseSort(text: string, sorts: readonly string[]): readonly SortTerm[] | string {
  const terms: SortTerm[] = [];
  for (const part of text.split(',')) {
    const [field = '', direction, ...rest] = part.split(':');
    if (!sorts.includes(field)) return `got ${quoteValue(field)}, takes the fields ${sorts.join(', ')}`;
    if ((direction !== 'asc' && direction !== 'desc') || rest.length > 0)
      return `got ${quoteValue(part)}, takes ${field}:asc or ${field}:desc`;
    if (terms.some(({ property }) => property === field))
      return `names ${field} twice, takes each field once`;
    terms.push({ property: field, direction });
  }
  const byId = terms.findIndex(({ property }) => property === 'id');
  if (byId >= 0) return terms.slice(0, byId + 1);
  const last = terms.at(-1) as SortTerm;
  return [...terms, { property: 'id', direction: last.direction }];
}

const quoteValue = (text: string): string => JSON.stringify(truncateText(text, 40));

/** The pattern of a sort. A field that is named twice passes: JSON Schema advises against look-ahead. */
export function sortPattern(sorts: readonly string[]): string {
  const term = `(?:${sorts.join('|')}):(?:asc|desc)`;
  return sorts.length > 1 ? `^${term}(?:,${term}){0,${sorts.length - 1}}$` : `^${term}$`;
}

/** All text is sorted as people sort it, whatever the collation of its column or the locale of the database. */
const COLLATION = '"und-x-icu"';
const TEXT = /^(?:character varying|varchar|text|citext)$/;
/** Types with an order that a cursor can go on in; a name in quotes is an enum's. */
const SORTABLE =
  /^(?:character varying|varchar|text|citext|numeric|double precision|real|date|timestamp.*|integer|int|smallint|bigint|bool(?:ean)?|uuid|"[^"]+")$/;
/** Types with infinity, which stands for null: beyond every value in either direction. */
const INFINITE = /^(?:numeric|double|real|date|timestamp)/;
/** Other types, and any value of each: whether it is null goes before. */
const NULL_FILLERS: readonly (readonly [type: RegExp, filler: string])[] = [
  [TEXT, ''],
  [/^(?:integer|int|smallint|bigint)/, '0'],
  [/^bool/, 'false'],
  [/^uuid/, '00000000-0000-0000-0000-000000000000'],
];

/** An expression that rows are sorted by, and what it is for the row that a cursor stands at. Neither is ever null. */
export interface SortKey {
  readonly expression: string;
  readonly direction: Direction;
  readonly value: string;
}

/**
 * The keys that rows are sorted by. None is ever null, so that a place in the list is an ordinary comparison.
 * @param values SQL of what the row of a cursor has in each @throws Error for a type without an order
 */
export function buildSortKeys(
  table: Pick<EntityTable, 'operand'>,
  sort: readonly SortTerm[],
  values: readonly string[] = sort.map(() => 'null'),
): SortKey[] {
  return sort.flatMap(({ property, direction }, i) => {
    const operand = table.operand(property);
    const filled = sortExpressions(operand, direction, values[i] as string);
    return sortExpressions(operand, direction, operand.sql).map((expression, j) => ({
      expression,
      direction,
      value: filled[j] as string,
    }));
  });
}

function sortExpressions({ type, isNullable }: Operand, direction: Direction, operand: string): string[] {
  if (!SORTABLE.test(type)) throw new Error(`rows cannot be walked in the order of a value of type ${type}`);
  const collate = TEXT.test(type) ? ` collate ${COLLATION}` : '';
  if (!isNullable) return [operand + collate];
  const isUp = direction === 'asc';
  if (INFINITE.test(type)) return [`coalesce(${operand}, '${isUp ? '' : '-'}Infinity'::${type})`];
  const filler = NULL_FILLERS.find(([types]) => types.test(type));
  if (!filler) throw new Error(`nothing stands for null in a value of type ${type}`);
  const isLast = `(${operand} is ${isUp ? '' : 'not '}null)`;
  return [isLast, `coalesce(${operand}, '${filler[1]}'::${type})${collate}`];
}
