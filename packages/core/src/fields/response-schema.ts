import { getMetadataArgsStorage } from 'typeorm';

import { Dto, FieldClass, FieldOptions, fieldsOf, swaggerOnlyProperties } from './field.js';
import { JsonSchema } from './rules.js';
import { responseTransforms } from './transforms.js';
import { findValidatorRules } from './validator-rules.js';

/**
 * Returns the JSON schema of a response DTO. The serializer is compiled from the schema, and entity tags contain a hash
 * of the schema.
 * @param isStored whether the object is JSON of a column
 * @throws Error if the class contains itself, has no properties, or has a property that no response would contain
 */
export function jsonSchemaFor(dto: Dto, within: readonly Dto[] = [], isStored = false): JsonSchema {
  if (within.includes(dto)) throw new Error(`${dto.name} contains itself, which a response cannot show`);
  assertSerialized(dto);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, isRequired] of swaggerOnlyProperties(dto)) {
    properties[name] = {};
    if (isRequired) required.push(name);
  }
  for (const [name, { type, options }] of fieldsOf(dto)) {
    const isJson = isStored || type.column?.type === 'jsonb';
    const nested = type.nested && jsonSchemaFor(type.nested, [...within, dto], isJson);
    const ofNested = type.schema.type === 'array' ? nested && { items: nested } : nested;
    properties[name] = {
      ...type.schema,
      ...ofNested,
      ...(options.nullable && { nullable: true }),
      ...(isStored && defaultOf(options)),
    };
    if (!options.optional) required.push(name);
  }
  return { type: 'object', properties, required };
}

/** The value of a member in a response, if it has been added to the class after the JSON was stored. */
const defaultOf = ({ default: value, nullable, optional }: FieldOptions): JsonSchema =>
  value === undefined ? (nullable && !optional ? { default: null } : {}) : { default: value };

/** @throws Error for a class whose responses would be empty or incomplete */
function assertSerialized(dto: Dto): void {
  const shown = new Set([...fieldsOf(dto).keys(), ...swaggerOnlyProperties(dto).keys()]);
  const lost = declaredProperties(dto).find((name) => !shown.has(name));
  if (lost !== undefined)
    throw new Error(
      `${dto.name}.${lost} is declared, but no response would contain it: give it @ApiProperty() or a field decorator of ` +
        '@plinth/core, or hide it with @Exclude() of class-transformer',
    );
  if (shown.size === 0)
    throw new Error(
      `${dto.name} describes a response, but has no properties: declare them with @ApiProperty() or the field decorators of @plinth/core`,
    );
}

/**
 * Returns the properties of a class that are known at run time: those with a rule of class-validator, with `@Expose()` or
 * with `@Column()`, and those with an initial value. Leaves out the ones that are hidden on purpose.
 */
function declaredProperties(dto: Dto): string[] {
  const { exposed, excluded } = responseTransforms(dto);
  const validated = findValidatorRules(dto).map(({ propertyName }) => propertyName);
  const names = [...validated, ...exposed, ...columnsOf(dto), ...initialized(dto)];
  return names.filter((name) => !excluded.includes(name));
}

/** Returns the properties with initial values. A constructor with parameters may set others, for its own use. */
function initialized(dto: Dto): string[] {
  if (dto.length > 0) return [];
  try {
    return Object.keys(new dto());
  } catch {
    return [];
  }
}

/** Returns the columns that statements read, without those that TypeORM maintains, such as the version. */
const columnsOf = (dto: FieldClass): string[] =>
  getMetadataArgsStorage()
    .columns.filter(
      ({ target, mode, options }) =>
        mode === 'regular' &&
        options.select !== false &&
        typeof target === 'function' &&
        (dto === target || dto.prototype instanceof target),
    )
    .map(({ propertyName }) => propertyName);
