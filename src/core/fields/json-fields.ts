import { arrayCodec, Codec } from './codec.js';
import { isObject } from './constraints.js';
import { field, FieldKind, FieldOptions } from './field.js';
import { atLeastItems, atMostItems, eachOnce, isArray, isWellFormedText, Rule, rule } from './rules.js';

// Fields of values that have a structure of their own.

/** Whether PostgreSQL can store a value, as text or as JSON, down to the last of its members. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormedText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, item]) => isWellFormedText(name) && isStorable(item));
}

/**
 * An object of any structure, of at most `max` characters as JSON: a `jsonb` column. What it means is for its readers
 * to know.
 */
export function Json(options: FieldOptions & { max: number }): PropertyDecorator {
  const { max } = options;
  return field<object>(
    {
      typeName: 'an object',
      is: isObject,
      schema: { type: 'object', additionalProperties: true },
      rules: [
        // Text that JSON can hold and `jsonb` cannot.
        rule('BAD_CHARACTER', isStorable, 'text without NUL and unpaired surrogates'),
        rule('TOO_LONG', (value) => JSON.stringify(value).length <= max, `at most ${max} characters of JSON`),
      ],
      column: { type: 'jsonb' },
    },
    options,
  );
}

export interface ArrayOptions {
  readonly min?: number;
  readonly max: number;
  /** No item may be there twice. */
  readonly unique?: boolean;
}

/**
 * `min` (0) to `max` values of one kind: an array column.
 *
 * @example @ArrayOf(text({ max: 30 }), { max: 10, unique: true }) tags: string[];
 */
export function ArrayOf<T>(kind: FieldKind<T>, options: FieldOptions & ArrayOptions): PropertyDecorator {
  const { min = 0, max, unique = false } = options;
  const ofItems = kind.rules.map(({ code, violated }): Rule<readonly T[]> => ({
    code,
    violated: (items) => {
      const index = items.findIndex((item) => violated(item) !== undefined);
      return index < 0 ? undefined : `${violated(items[index] as T) ?? ''} (item ${index})`;
    },
  }));
  const { transformer } = kind.column ?? {};
  return field<readonly T[]>(
    {
      typeName: `an array, each item ${kind.typeName}`,
      is: (value): value is readonly T[] => isArray(value) && value.every(kind.is),
      schema: { type: 'array', minItems: min, maxItems: max, items: kind.schema },
      rules: [...ofItems, ...(unique ? [eachOnce] : []), atLeastItems(min), atMostItems(max)],
      column: kind.column && {
        ...kind.column,
        array: true,
        transformer: arrayCodec(transformer as Codec | undefined),
      },
    },
    options,
  );
}
