import { dtoSchemaFor } from './dto-schema.js';
import { Dto, field, FieldOptions, fieldsOf, FieldType, swaggerOnlyProperties } from './field.js';
import { choice, createFieldType, text, TextOptions } from './fields.js';
import { jsonCodec } from './json-codec.js';

// The field decorators for values of several parts: arrays of texts and of words, and JSON. Each is one column.

interface ArrayBounds {
  /** How many items the array must have. By default, it may be empty. */
  readonly minItems?: number;
  readonly maxItems: number;
  /** Whether the array must not contain an item twice. */
  readonly unique?: boolean;
}

function arrayOf(items: FieldType, { minItems, maxItems, unique }: ArrayBounds): FieldType {
  const bounds = {
    type: 'array',
    ...(minItems !== undefined && { minItems }),
    maxItems,
    ...(unique && { uniqueItems: true }),
  } as const;
  const more = { items, column: { ...items.column, array: true } };
  // The rules for the array itself come from its bounds, those for each item from `items`.
  return createFieldType({ ...bounds, items: items.schema }, more, bounds);
}

/**
 * An array of at most `maxItems` texts, each of `min` (by default 1) to `max` characters and not blank, unless `blank` is
 * set. The array keeps its order, may be empty unless `minItems` is set, and may contain a text twice unless `unique` is
 * set. The filter `contains()` finds rows by its items.
 *
 * The column is an array of `varchar(max)`. For items that have ids of their own, declare a resource instead.
 * @example @TextArray({ maxItems: 20, max: 40, unique: true, default: [] }) tags: string[];
 */
export const TextArray = (options: FieldOptions & TextOptions & ArrayBounds): PropertyDecorator =>
  field(arrayOf(text(options), options), options);

/**
 * An array of words, each at most once, in the order in which they were sent. By default, it may have as many items as
 * there are words. The filter `contains()` finds rows by its words.
 * @example @ChoiceArray({ of: ['mail', 'sms'], default: [] }) channels: ('mail' | 'sms')[];
 */
export const ChoiceArray = (
  options: FieldOptions & { of: readonly string[] } & Partial<Pick<ArrayBounds, 'minItems' | 'maxItems'>>,
): PropertyDecorator =>
  field(arrayOf(choice(options.of), { maxItems: options.of.length, ...options, unique: true }), options);

/**
 * An object with the fields of `type`, stored as JSON in one column of the type `jsonb`. Bodies are validated by the
 * fields of `type`, and only these fields are stored and shown. A PATCH changes the members that it sends; POST and PUT
 * send the whole object. The filter `contains()` finds rows by a member.
 *
 * To show an object that has no column of its own, use `@Nested()`. For rows that other rows refer to, declare a resource.
 * @throws Error if `type` contains itself, or if a property of it has no field decorator, or is read-only, computed or a
 *   password
 * @example @Json({ type: AddressDto, nullable: true }) address: AddressDto | null;
 */
export const Json = (options: FieldOptions & { type: Dto }): PropertyDecorator =>
  field(json(options.type), options);

function json(dto: Dto): FieldType {
  assertStorable(dto);
  return createFieldType(
    { type: 'object' },
    { nested: dto, column: { type: 'jsonb', transformer: jsonCodec(dto) } },
  );
}

/** @throws Error for a class whose values could not be stored as JSON, or not be read as they were written */
function assertStorable(dto: Dto, within: readonly Dto[] = []): void {
  if (within.includes(dto))
    throw new Error(`@Json() must have a type that does not contain itself (got ${dto.name})`);
  const fields = fieldsOf(dto);
  const declared = [...dtoSchemaFor(dto).byPropertyName.keys(), ...swaggerOnlyProperties(dto).keys()];
  const other = declared.find((name) => !fields.has(name));
  if (other !== undefined)
    throw new Error(`${dto.name}.${other}: a member of @Json() must have a field decorator of @plinth/core`);
  if (fields.size === 0) throw new Error(`@Json() must have a type with fields (got ${dto.name})`);
  for (const [name, { options, type }] of fields) {
    if (options.readOnly || options.isSecret)
      throw new Error(
        `${dto.name}.${name}: a member of @Json() must not be read-only, computed or a password`,
      );
    if (type.nested) assertStorable(type.nested, [...within, dto]);
  }
}
