import { FieldKind } from '../fields/field.js';
import { JsonSchema } from '../fields/json-schema.js';
import * as kinds from '../fields/kinds.js';
import * as values from './query-values.js';

/** Any kind of field: what its values are decides how the text of a parameter is read. */
// oxlint-disable-next-line typescript/no-explicit-any -- kinds of all types; each judges values of its own alone
export type AnyKind = FieldKind<any>;

export type Scalar = string | number | boolean;

/** How the text of a query parameter is read, and how that is documented. */
export interface Reading<T> {
  readonly read: values.ValueReader<T>;
  readonly schema: JsonSchema;
}

/** Longest text of a kind that has no bound of its own. */
const MAX_TEXT = 200;
/** Most values of a parameter that takes several. */
const MAX_VALUES = 50;
/** Forms of text that PostgreSQL has types for: what is not of them is of the wrong type. */
const TYPED_FORMATS: readonly unknown[] = ['uuid', 'date', 'date-time'];

/**
 * Reads one value of a kind.
 *
 * @throws Error for kinds whose values no query parameter can have
 */
export function readingOf(kind: AnyKind): Reading<Scalar> {
  const { type, minimum, maximum, enum: words, format, maxLength = MAX_TEXT } = kind.schema;
  if (kind === kinds.id) return { read: values.id, schema: { type: 'integer', minimum: 1 } };
  if (type === 'boolean') return { read: values.flag, schema: { type } };
  if (type === 'integer')
    return {
      read: values.integer(minimum ?? 0, maximum ?? Number.MAX_SAFE_INTEGER),
      schema: { type, minimum, maximum },
    };
  if (type === 'number')
    return { read: values.decimal(minimum), schema: { type, ...(minimum !== undefined && { minimum }) } };
  if (type !== 'string' || format === 'password') throw new Error(`no parameter takes ${kind.typeName}`);
  if (words) return { read: values.choice(words.map(String)), schema: { type, enum: words } };
  if (TYPED_FORMATS.includes(format)) return { read: formatted(kind), schema: { type, format } };
  return { read: values.text(maxLength), schema: { type, ...(format && { format }), maxLength } };
}

/** Reads a bound of an order. @throws Error for kinds without one that clients know */
export function boundOf(kind: AnyKind): Reading<Scalar> {
  const { type, format } = kind.schema;
  if (kind === kinds.id)
    return { read: values.integer(0, kinds.MAX_ID), schema: { type: 'integer', minimum: 0 } };
  if (type === 'integer' || type === 'number' || format === 'date' || format === 'date-time')
    return readingOf(kind);
  throw new Error('takes numbers, days and times');
}

/** Reads some values with commas between them. A text that has commas itself is put into double quotes. */
export function someOf(kind: AnyKind): Reading<readonly Scalar[]> {
  const { read, schema } = readingOf(kind);
  const readAll: values.ValueReader<readonly Scalar[]> = (text) => {
    const parts = values.splitValues(text);
    if (parts.length > MAX_VALUES) return new values.ValueFault('TOO_MANY', `at most ${MAX_VALUES} values`);
    const found = new Set<Scalar>();
    for (const part of parts) {
      const value = read(part);
      if (value instanceof values.ValueFault) return value;
      found.add(value);
    }
    return [...found];
  };
  return { read: readAll, schema: { type: 'array', items: schema, minItems: 1, maxItems: MAX_VALUES } };
}

/** Reads the beginning of a text as the range of texts that begin so: from the first, up to before the second. */
export function prefixOf(kind: AnyKind): Reading<readonly string[]> {
  const { type, enum: words, format, maxLength = MAX_TEXT } = kind.schema;
  if (type !== 'string' || words || format === 'password' || TYPED_FORMATS.includes(format))
    throw new Error('takes text');
  const readText = values.text(maxLength);
  return {
    read: (text) => {
      if (text === '') return new values.ValueFault('TOO_SHORT', 'at least 1 character');
      const value = readText(text);
      return value instanceof values.ValueFault ? value : [value, values.afterPrefix(value)];
    },
    schema: { type, minLength: 1, maxLength },
  };
}

/** Text of a form that PostgreSQL has a type for, as it writes that itself. */
function formatted({ rules, schema: { format } }: AnyKind): values.ValueReader<string> {
  return (text) => {
    for (const { violated } of rules) {
      const takes = violated(text);
      if (takes !== undefined) return new values.ValueFault('WRONG_TYPE', takes);
    }
    return format === 'date-time' ? values.instant(text) : text.toLowerCase();
  };
}
