import { ApiProperty, ApiPropertyOptions } from '@nestjs/swagger';

import { CONSTRAINTS, ValueType } from '../fields/constraints.js';
import { Dto } from '../fields/field.js';
import { JsonSchema } from '../fields/json-schema.js';
import { MAX_ITEMS, Property, shapeOf } from '../fields/shape.js';

const DESCRIBED = 'swagger/apiModelProperties';

const described = new WeakSet<Dto>();

/** Documents the properties of a DTO that have but decorators of class-validator, unless `@ApiProperty()` does. */
export function describeStock(dto: Dto): void {
  if (described.has(dto)) return;
  described.add(dto);
  const prototype = dto.prototype as object;
  for (const [name, property] of shapeOf(dto).properties) {
    const { nested } = property;
    if (nested) describeStock(nested);
    if (!property.field && !Reflect.hasMetadata(DESCRIBED, prototype, name))
      ApiProperty(documentation(property, nested))(prototype, name);
  }
}

function documentation(property: Property, nested: Dto | undefined): ApiPropertyOptions {
  const { type, itemType, rules, takesNull } = property;
  const isArray = type === 'array';
  const required = !takesNull && rules.length > 0;
  const schema = { ...(isArray && { maxItems: MAX_ITEMS }), ...schemaOf(property, false) };
  if (nested) return { required, type: () => nested, isArray, ...(isArray && schema) } as ApiPropertyOptions;
  const items = { ...typed(itemType), ...schemaOf(property, true) };
  return { required, ...typed(type), ...schema, ...(isArray && { items }) } as ApiPropertyOptions;
}

function typed(type: ValueType | undefined): JsonSchema {
  if (type === 'date') return { type: 'string', format: 'date-time' };
  return type === undefined ? {} : { type };
}

/** The schema that follows from the rules, of the values or of the items of an array. */
function schemaOf({ rules }: Property, each: boolean): JsonSchema {
  // Each entry of `CONSTRAINTS` names the parameters of its own decorator.
  const parts = rules
    .filter((rule) => (each ? rule.each : !rule.each))
    .map(({ name = '', constraints }) => CONSTRAINTS[name]?.schema?.(constraints) ?? {});
  return Object.assign({}, ...parts) as JsonSchema;
}
