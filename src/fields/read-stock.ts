import { ValueType } from './constraints.js';
import { described } from './field.js';
import { isStorable } from './json-fields.js';
import { isObject, Json, Reader, setAside } from './reader.js';
import { Property, shapeOf } from './shape.js';

/** The name of each type in messages. */
const NAMES: Readonly<Record<ValueType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  date: 'a time such as 2026-11-20T09:30:00.000Z',
  array: 'an array',
  object: 'an object',
};

const IS: Readonly<Record<ValueType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string',
  array: Array.isArray,
  object: isObject,
};

/** Items that an array takes whose class sets no bound by `@ArrayMaxSize()`: more would hold up everybody else. */
export const MAX_ITEMS = 1_000;

/** Reads a property and the body that it is of. */
interface StockReader extends Reader {
  readonly body: Json;
  /** Reads what is nested in it. */
  readonly keep: (body: Json, reader: Reader) => Record<string, unknown>;
}

/**
 * Keeps the value of a property that has decorators of class-validator alone, or `@Transform()`: where its type is the
 * one that is declared. Texts that cannot be stored are refused wherever they are.
 */
export function readStock(
  kept: Record<string, unknown>,
  name: string,
  property: Property,
  reader: StockReader,
): void {
  const { body, path, verdict } = reader;
  if (isTooLong(body[name], property, reader)) return;
  const value = withinBound(body[name], property);
  if (!isStorable(value)) {
    const message = 'takes text without NUL and unpaired surrogates';
    verdict.judge({ field: path, code: 'BAD_CHARACTER', message });
    return;
  }
  if (property.transform) {
    // Set aside under the name in the class, as class-transformer would transform it once more.
    transformOne(kept, property, value, reader);
    return;
  }
  if (value === null && (property.takesNull || property.type === undefined)) {
    kept[name] = null;
    return;
  }
  if (isWrong(value, property.type, path, reader)) return;
  if (property.nestedOf) kept[name] = readNested(value, property, reader);
  else if (property.type === 'date') setAside(kept, property.name, dateOf(value as string), verdict);
  else if (Array.isArray(value)) setAside(kept, property.name, readItems(value, property, reader), verdict);
  else if (isObject(value)) setAside(kept, property.name, value, verdict);
  else kept[name] = value;
}

/** Whether an array that its class does not bound has too many items: none of them is looked at. */
function isTooLong(value: unknown, { maxItems }: Property, { path, verdict }: StockReader): boolean {
  if (maxItems !== undefined || !Array.isArray(value) || value.length <= MAX_ITEMS) return false;
  const message = `got an array of ${value.length}, takes at most ${MAX_ITEMS} items`;
  verdict.judge({ field: path, code: 'TOO_MANY', message });
  verdict.leave(path);
  return true;
}

/** The items up to the first that is one too many, by which `@ArrayMaxSize()` finds the array too long. */
function withinBound(value: unknown, { maxItems }: Property): unknown {
  return maxItems !== undefined && Array.isArray(value) ? value.slice(0, maxItems + 1) : value;
}

function transformOne(kept: object, property: Property, value: unknown, reader: StockReader): void {
  const { body, path, verdict } = reader;
  try {
    setAside(kept, property.name, property.transform?.(value, body), verdict);
  } catch {
    // A transformation that expects a text, and gets a number.
    verdict.judge({
      field: path,
      code: 'WRONG_TYPE',
      message: `got ${described(value)}, takes another type`,
    });
  }
}

function isWrong(
  value: unknown,
  type: ValueType | undefined,
  field: string,
  { verdict }: Pick<Reader, 'verdict'>,
): boolean {
  if (type === undefined || IS[type](value)) return false;
  verdict.judge({ field, code: 'WRONG_TYPE', message: `got ${described(value)}, takes ${NAMES[type]}` });
  return true;
}

function readNested(value: unknown, property: Property, reader: StockReader): unknown {
  const { path } = reader;
  if (!Array.isArray(value)) return readObject(value, property, reader);
  return value.map((item: unknown, index) =>
    readObject(item, property, { ...reader, path: `${path}.${index}` }),
  );
}

function readObject(value: unknown, { nestedOf, discriminator }: Property, reader: StockReader): unknown {
  const { path, verdict, dropsUnknown, keep } = reader;
  if (isWrong(value, 'object', path, reader)) return {};
  const dto = nestedOf?.(value);
  if (!dto) {
    verdict.judge({
      field: path,
      code: 'NOT_ALLOWED',
      message: `takes none of this ${discriminator ?? 'kind'}`,
    });
    return {};
  }
  const inner: Reader = { dto, representation: undefined, dropsUnknown, path: `${path}.`, verdict };
  if (discriminator === undefined) return keep(value as Json, inner);
  // It tells class-transformer which class it is, whether or not the class declares it.
  const { [discriminator]: kind, ...rest } = value as Json;
  const isDeclared = shapeOf(dto).properties.has(discriminator);
  return { ...keep(isDeclared ? (value as Json) : rest, inner), [discriminator]: kind };
}

function readItems(items: readonly unknown[], { itemType }: Property, reader: StockReader): unknown[] {
  const { path, verdict } = reader;
  return items.map((item, index) => {
    const field = `${path}.${index}`;
    if (isWrong(item, itemType, field, { verdict })) {
      verdict.leave(path);
      return item;
    }
    return itemType === 'date' ? dateOf(item as string) : item;
  });
}

/** ISO 8601, a day or a point in time. Anything else is an invalid date, which no rule takes. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

const dateOf = (text: string): Date => new Date(DATE.test(text) ? text : NaN);
