import { partsOf } from './type-text.js';

/**
 * Whether a type of a surface has all values of another: see `typeText`. An object that is written in place covers only
 * itself.
 *
 * @example covers('string(..200) | null', 'string(1..100)') // true
 */
export function covers(wide: string, narrow: string): boolean {
  const parts = partsOf(wide, ' | ').map(partOf);
  return partsOf(narrow, ' | ')
    .map(partOf)
    .every((part) => parts.some((other) => coversPart(other, part)));
}

/** One alternative of a type: `string(1..200)` is `string`, bounded by `1..200`. */
interface Part {
  readonly name: string;
  readonly bounds: readonly string[];
}

function partOf(text: string): Part {
  // The bounds stand in the last parentheses: those of an item come before the brackets of its list.
  const last = partsOf(text, '(').at(-1) ?? text;
  if (last === text || !text.endsWith(')')) return { name: text, bounds: [] };
  return { name: text.slice(0, -last.length - 1), bounds: partsOf(last.slice(0, -1), ', ') };
}

function coversPart(wide: Part, narrow: Part): boolean {
  if (wide.name === 'any') return true;
  if (wide.name === 'string' && wide.bounds.length === 0 && narrow.name.startsWith('"')) return true;
  const [items, others] = [itemsOf(wide.name), itemsOf(narrow.name)];
  const isOfSameKind =
    items !== undefined && others !== undefined ? covers(items, others) : wide.name === narrow.name;
  return isOfSameKind && wide.bounds.every((bound) => isKept(bound, narrow.bounds));
}

const itemsOf = (name: string): string | undefined =>
  name.endsWith('[]') ? name.slice(0, -'[]'.length).replace(/^\((.*)\)$/, '$1') : undefined;

/** The formats of which another has all values. */
const WITHIN: Readonly<Record<string, string>> = { int32: 'int64', float: 'double', email: 'idn-email' };

/** Whether a bound holds for all values that other bounds leave. */
function isKept(bound: string, others: readonly string[]): boolean {
  const range = rangeIn(bound);
  if (!range) return others.some((other) => other === bound || WITHIN[other] === bound);
  const ranges = others.map(rangeIn).filter((other) => other !== undefined);
  return (
    (range.least === undefined || ranges.some(({ least }) => isWithin(least, range.least as End, 1))) &&
    (range.most === undefined || ranges.some(({ most }) => isWithin(most, range.most as End, -1)))
  );
}

interface End {
  readonly value: number;
  readonly isExclusive: boolean;
}

interface Range {
  readonly least: End | undefined;
  readonly most: End | undefined;
}

/** `1..200`, `0<..`, `..<1`; `undefined` of other bounds. */
function rangeIn(bound: string): Range | undefined {
  const [, least, above, below, most] = /^([-+.e\d]*?)(<?)\.\.(<?)([-+.e\d]*)$/.exec(bound) ?? [];
  return least === undefined ? undefined : { least: endOf(least, above), most: endOf(most, below) };
}

const endOf = (text = '', sign = ''): End | undefined =>
  text === '' ? undefined : { value: Number(text), isExclusive: sign === '<' };

/** @param direction 1: of lower ends, −1: of upper ones */
function isWithin(end: End | undefined, outer: End, direction: 1 | -1): boolean {
  if (!end) return false;
  const beyond = (end.value - outer.value) * direction;
  return beyond > 0 || (beyond === 0 && (end.isExclusive || !outer.isExclusive));
}
