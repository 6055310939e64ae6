/** A type as PostgreSQL's `format_type()` writes it. */
interface TypeParts {
  readonly name: string;
  /** Length, or precision and scale. */
  readonly sizes: readonly number[];
  readonly rest: string;
}

function partsOf(type: string): TypeParts {
  const [, name = '', sizes = '', rest = ''] =
    /^([a-z ]+?)(?:\(([\d,]+)\))?( with(?:out)? time zone)?(?:\[\])?$/.exec(type) ?? [];
  return {
    name,
    sizes: sizes === '' ? [] : sizes.split(',').map(Number),
    rest: rest + (type.endsWith('[]') ? '[]' : ''),
  };
}

const INTEGERS = ['smallint', 'integer', 'bigint'];
/** Digits of the largest value of each. */
const DIGITS: Readonly<Record<string, number>> = { smallint: 5, integer: 10, bigint: 19 };

/**
 * Whether every value of a type is the same value of another one, so that `ALTER … TYPE` keeps all that a column holds.
 *
 * @param from, to as PostgreSQL's `format_type()` writes them
 */
export function isWidening(from: string, to: string): boolean {
  if (from === to) return true;
  const [a, b] = [partsOf(from), partsOf(to)];
  if (a.name === '' || b.name === '' || a.rest !== b.rest) return false;
  if (b.name === 'text') return a.name === 'character varying' || a.name === 'text';
  if (INTEGERS.includes(a.name)) {
    if (INTEGERS.includes(b.name)) return INTEGERS.indexOf(b.name) >= INTEGERS.indexOf(a.name);
    return b.name === 'numeric' && digitsBeforePoint(b) >= (DIGITS[a.name] ?? Infinity);
  }
  if (a.name === 'real' && b.name === 'double precision') return true;
  if (a.name !== b.name) return false;
  if (a.name === 'numeric') return scaleOf(b) >= scaleOf(a) && digitsBeforePoint(b) >= digitsBeforePoint(a);
  // Of text the length, of times the digits of a second: without any there is no bound.
  return (b.sizes[0] ?? Infinity) >= (a.sizes[0] ?? Infinity);
}

const scaleOf = ({ sizes: [precision, scale = 0] }: TypeParts): number =>
  precision === undefined ? Infinity : scale;

const digitsBeforePoint = ({ sizes: [precision, scale = 0] }: TypeParts): number =>
  precision === undefined ? Infinity : precision - scale;
