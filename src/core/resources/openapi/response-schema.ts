import { Dto, fieldsOf, schemaOf } from '../../fields/field.js';
import { JsonSchema } from '../../fields/rules.js';

/** Where `@ApiProperty()` keeps the names of properties, each after a colon. */
const DESCRIBED = 'swagger/apiModelPropertiesArray';

/**
 * The schema by which a response is serialized. Of a class without fields it has the properties that `@ApiProperty()`
 * describes, whose values are sent as they are.
 *
 * @throws Error where the class has neither: every response would be empty
 */
export function responseSchemaOf(dto: Dto): JsonSchema {
  if (fieldsOf(dto).size > 0) return schemaOf(dto);
  const described = (Reflect.getMetadata(DESCRIBED, dto.prototype as object) ?? []) as string[];
  if (described.length === 0)
    throw new Error(
      `${dto.name} describes a response, but has no properties: declare them with @ApiProperty() or the decorators of src/core/fields/fields.ts`,
    );
  return { type: 'object', properties: Object.fromEntries(described.map((name) => [name.slice(1), {}])) };
}
