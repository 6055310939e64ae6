import { Operand } from '../database/operands.js';
import { Table } from '../database/table.js';
import { Direction, SortTerm } from './sort.js';

/** All text is sorted as people sort it, whatever the collation of its column or the locale of the database. */
const COLLATION = '"und-x-icu"';
const TEXT = /^(?:character varying|varchar|text|citext)$/;
/** Types with an order that a cursor can go on in; a name in quotes is an enum's. */
const SORTABLE =
  /^(?:character varying|varchar|text|citext|numeric|double precision|real|date|timestamp.*|integer|int|smallint|bigint|bool(?:ean)?|uuid|"[^"]+")$/;

/** An expression that rows are sorted by. Never null. */
export interface SortKey {
  readonly expression: string;
  readonly direction: Direction;
}

/** A sort key with what it is for the row that a cursor stands at. */
export interface SeekKey extends SortKey {
  readonly value: string;
}

/** For columns that may be null: what stands for null, beyond every value in its direction. */
const BEYOND: readonly (readonly [type: RegExp, asc: string, desc: string])[] = [
  [/^(?:numeric|double|real|date|timestamp)/, 'Infinity', '-Infinity'],
];
/** Types without infinity, and any value of each: whether it is null goes before. */
const FILLERS: readonly (readonly [type: RegExp, filler: string])[] = [
  [TEXT, ''],
  [/^(?:integer|int|smallint|bigint)/, '0'],
  [/^bool/, 'false'],
  [/^uuid/, '00000000-0000-0000-0000-000000000000'],
];

/**
 * The keys that rows are sorted by, nulls last in both directions. No key is ever null, so that a place in the list is
 * an ordinary comparison; indexes are on the same expressions.
 *
 * @param values SQL for what the row of a cursor has in each term; left out: only the order is wanted
 * @throws Error for a type without an order, and where nulls have no place in it
 */
export function sortKeysOf(
  table: Table,
  sort: readonly SortTerm[],
  values: readonly string[] = sort.map(() => 'null'),
): SeekKey[] {
  return sort.flatMap(({ property, direction }, i) => {
    const operand = table.operand(property);
    const expressions = expressionsOf(operand, direction, operand.sql);
    const filled = expressionsOf(operand, direction, values[i] as string);
    return expressions.map((expression, j) => ({ expression, direction, value: filled[j] as string }));
  });
}

function expressionsOf({ type, isNullable }: Operand, direction: Direction, operand: string): string[] {
  if (!SORTABLE.test(type)) throw new Error(`rows cannot be walked in the order of a value of type ${type}`);
  const collate = TEXT.test(type) ? ` collate ${COLLATION}` : '';
  if (!isNullable) return [operand + collate];
  const beyond = BEYOND.find(([types]) => types.test(type));
  if (beyond) return [`coalesce(${operand}, '${direction === 'asc' ? beyond[1] : beyond[2]}'::${type})`];
  const filler = FILLERS.find(([types]) => types.test(type));
  if (!filler) throw new Error(`nothing stands for null in a value of type ${type}`);
  const isLast = direction === 'asc' ? `(${operand} is null)` : `(${operand} is not null)`;
  return [isLast, `coalesce(${operand}, '${filler[1]}'::${type})${collate}`];
}
