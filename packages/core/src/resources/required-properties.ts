import { EntityMetadata } from 'typeorm';

import { limitedProperties, LimitedResource } from '../access/row-limits.js';
import { bodyError } from '../fields/faults.js';
import { fieldNameFor } from '../fields/field.js';

const required = new WeakMap<EntityMetadata, readonly string[]>();

/** Returns the properties by which `rows` limits some callers, and without a value of which the table accepts no row. */
function findRequiredProperties(resource: LimitedResource, metadata: EntityMetadata): string[] {
  const properties = limitedProperties(resource).flat();
  return [...new Set(properties)].filter((property) => {
    const column = metadata.findColumnWithPropertyName(property);
    return column && !column.isNullable && !column.isGenerated && column.default === undefined;
  });
}

/**
 * Asserts that a new row has a value of each property by which `rows` limits some callers. The bodies of such properties may
 * be optional, because most callers have a value for them.
 * @throws ApiError 400 that names the fields without a value
 */
export function assertRequiredValues(
  resource: LimitedResource,
  metadata: EntityMetadata,
  values: Readonly<Record<string, unknown>>,
): void {
  let properties = required.get(metadata);
  if (!properties) required.set(metadata, (properties = findRequiredProperties(resource, metadata)));
  const faults = properties
    .filter((property) => (values[property] ?? null) === null)
    .map((property) => {
      return { field: fieldNameFor(resource.entity, property), code: 'REQUIRED', message: 'is required' };
    });
  if (faults.length > 0) throw bodyError(faults);
}
