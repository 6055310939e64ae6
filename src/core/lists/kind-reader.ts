import { FaultCode } from '../fields/faults.js';
import { FieldKind } from '../fields/field.js';
import { JsonSchema } from '../fields/json-schema.js';
import * as kinds from '../fields/kinds.js';
import { compareDecimals } from '../http/body/decimal-text.js';

/** Any kind of field: what its values are decides how the text of a parameter is read. */
// oxlint-disable-next-line typescript/no-explicit-any -- kinds of all types; each judges values of its own alone
export type AnyKind = FieldKind<any>;

export type Scalar = string | number | boolean;

/** Why the text of a query parameter is no value of it. */
export class ValueFault {
  constructor(
    readonly code: FaultCode,
    /** The values that the parameter takes, in words. */
    readonly takes: string,
  ) {}
}

/** Reads the text of a query parameter strictly: no blanks, no exponents, no other spellings. */
export type ValueReader<T> = (text: string) => T | ValueFault;

/** How the text of a query parameter is read, and how that is documented. */
export interface Reading<T> {
  readonly read: ValueReader<T>;
  readonly schema: JsonSchema;
}

/** Longest text of a kind that has no bound of its own. */
const MAX_TEXT = 200;
/** Most values of a parameter that takes several. */
const MAX_VALUES = 50;
/** Longer numbers mean nothing more, and would come back in every link of a page. */
const INTEGER = /^-?\d{1,500}$/;
const DECIMAL = /^-?\d{1,30}(\.\d{1,30})?$/;
const MAX = Number.MAX_VALUE;
/** Forms of text that PostgreSQL has types for: what is not of them is of the wrong type. */
const TYPED_FORMATS: readonly unknown[] = ['uuid', 'date', 'date-time'];
/** The rules of a field that what is looked for follows as well: text of another form is only found nowhere. */
const SEARCHED: readonly FaultCode[] = ['BAD_CHARACTER', 'TOO_LONG', 'TOO_SMALL', 'TOO_LARGE', 'NOT_ALLOWED'];

/**
 * Reads one value of a kind.
 *
 * @throws Error for kinds whose values no query parameter can have
 */
export function readingOf(kind: AnyKind): Reading<Scalar> {
  const { type, minimum, maximum, enum: words, format, maxLength = MAX_TEXT } = kind.schema;
  if (kind === kinds.id) return { read: readId, schema: { type: 'integer', minimum: 1 } };
  if (type === 'number')
    return { read: decimalFrom(minimum), schema: { type, ...(minimum !== undefined && { minimum }) } };
  if (type === 'integer') return { read: byRules(kind), schema: { type, minimum, maximum } };
  if (type === 'boolean') return { read: byRules(kind), schema: { type } };
  if (type !== 'string' || format === 'password') throw new Error(`no parameter takes ${kind.typeName}`);
  if (words) return { read: byRules(kind), schema: { type, enum: words } };
  if (TYPED_FORMATS.includes(format)) return { read: formatted(kind), schema: { type, format } };
  const ofText = kind.schema.maxLength === undefined ? kinds.text({ max: MAX_TEXT }) : kind;
  return { read: byRules(ofText), schema: { type, ...(format && { format }), maxLength } };
}

/** Reads a bound of an order. @throws Error for kinds without one that clients know */
export function boundOf(kind: AnyKind): Reading<Scalar> {
  const { type, format } = kind.schema;
  if (kind === kinds.id)
    return { read: byRules(kinds.integer({ max: kinds.MAX_ID })), schema: { type: 'integer', minimum: 0 } };
  if (type === 'integer' || type === 'number' || format === 'date' || format === 'date-time')
    return readingOf(kind);
  throw new Error('takes numbers, days and times');
}

/** Reads some values with commas between them. A text that has commas itself is put into double quotes. */
export function someOf(kind: AnyKind): Reading<readonly Scalar[]> {
  const { read, schema } = readingOf(kind);
  const readAll: ValueReader<readonly Scalar[]> = (text) => {
    const parts = splitValues(text);
    if (parts.length > MAX_VALUES) return new ValueFault('TOO_MANY', `at most ${MAX_VALUES} values`);
    const values = parts.map(read);
    const fault = values.find((value) => value instanceof ValueFault);
    return fault ?? [...new Set(values as Scalar[])];
  };
  return { read: readAll, schema: { type: 'array', items: schema, minItems: 1, maxItems: MAX_VALUES } };
}

/** Reads the beginning of a text as the range of texts that begin so: from the first, up to before the second. */
export function prefixOf(kind: AnyKind): Reading<readonly string[]> {
  const { type, enum: words, format, maxLength = MAX_TEXT } = kind.schema;
  if (type !== 'string' || words || format === 'password' || TYPED_FORMATS.includes(format))
    throw new Error('takes text');
  const { read } = readingOf(kind);
  return {
    read: (text) => {
      if (text === '') return new ValueFault('TOO_SHORT', 'at least 1 character');
      const value = read(text);
      return value instanceof ValueFault ? value : [text, afterPrefix(text)];
    },
    schema: { type, minLength: 1, maxLength },
  };
}

/** Reads a text, a whole number or a flag, judged by the rules of its kind. */
export function byRules<T>({ is, rules, typeName, schema: { type } }: FieldKind<T>): ValueReader<T> {
  return (text) => {
    let value: unknown = text;
    // Beyond all numbers lies no other value than beyond the bounds.
    if (type === 'integer' && INTEGER.test(text)) value = Math.max(-MAX, Math.min(Number(text), MAX));
    if (type === 'boolean' && (text === 'true' || text === 'false')) value = text === 'true';
    if (!is(value)) return new ValueFault('WRONG_TYPE', typeName);
    for (const { code, violated } of rules) {
      const takes = SEARCHED.includes(code) ? violated(value) : undefined;
      if (takes !== undefined) return new ValueFault(code, takes);
    }
    return value;
  };
}

/** An id that no resource can have is still one: nothing has it. */
const readId: ValueReader<number> = (text) => {
  if (text.startsWith('-') || !INTEGER.test(text)) return new ValueFault('WRONG_TYPE', 'a positive integer');
  return Number(text) <= kinds.MAX_ID ? Number(text) : 0;
};

/** A decimal number from `min`, kept as text: it is compared in decimal. */
const decimalFrom =
  (min?: number): ValueReader<string> =>
  (text) => {
    if (!DECIMAL.test(text)) return new ValueFault('WRONG_TYPE', 'a number');
    const isBelow = min !== undefined && compareSigned(text, String(min)) < 0;
    return isBelow ? new ValueFault('TOO_SMALL', `at least ${min}`) : text;
  };

/** Compares two numbers as they are written, exactly. */
export function compareSigned(one: string, other: string): number {
  const [a, b] = [signOf(one), signOf(other)];
  if (a !== b) return a - b;
  return a < 0 ? compareDecimals(other, one) : compareDecimals(one, other);
}

const signOf = (number: string): number => {
  if (!/[1-9]/.test(number)) return 0;
  return number.startsWith('-') ? -1 : 1;
};

/** Text of a form that PostgreSQL has a type for, as the service writes it: times in UTC. */
const formatted =
  ({ rules, schema: { format } }: AnyKind): ValueReader<string> =>
  (text) => {
    for (const { violated } of rules) {
      const takes = violated(text);
      if (takes !== undefined) return new ValueFault('WRONG_TYPE', takes);
    }
    return format === 'date-time' ? new Date(text).toISOString() : text.toLowerCase();
  };

/** Values between commas. One in double quotes may have commas, and double quotes written twice (RFC 4180 §2). */
export function splitValues(text: string): string[] {
  return [...`,${text}`.matchAll(/,("(?:[^"]|"")*"(?=,|$)|[^,]*)/g)].map(([, value = '']) => {
    const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
    return isQuoted ? value.slice(1, -1).replaceAll('""', '"') : value;
  });
}

const LAST_CHARACTER = '\u{10ffff}';

/**
 * The first text, by code points, that comes after all those that begin with `prefix` and have at most 10,000
 * characters.
 */
export function afterPrefix(prefix: string): string {
  const characters = [...prefix];
  while (characters.at(-1) === LAST_CHARACTER) characters.pop();
  const last = characters.pop()?.codePointAt(0);
  if (last === undefined) return LAST_CHARACTER.repeat(10_001);
  // Between them are the halves of surrogate pairs, which no text has.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return characters.join('') + String.fromCodePoint(next);
}
