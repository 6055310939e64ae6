import { EntityMetadata } from 'typeorm';

import { expressionIndexesOf } from '../database/expression-index.js';
import { NOT_UNIQUE } from '../fields/faults.js';
import { FieldClass, fieldNameFor, fieldsOf } from '../fields/field.js';
import { ErrorDetail } from '../http/errors/api-error.js';

/**
 * Returns the fields that a unique constraint or index covers, or an empty array if the constraint is not a unique one.
 */
export function uniqueFields(
  { uniques, indices, columns, target }: EntityMetadata,
  constraint?: string,
): string[] {
  const indexed = expressionIndexesOf(target as object).find(
    ({ name, unique }) => unique && name === constraint,
  );
  const constrained = [...uniques, ...indices.filter(({ isUnique }) => isUnique)];
  const found = indexed
    ? columns.filter(({ databaseName }) => new RegExp(`\\b${databaseName}\\b`).test(indexed.on))
    : constrained.find(({ name }) => name === constraint)?.columns;
  return (found ?? []).map(({ propertyName }) => fieldNameFor(target as FieldClass, propertyName));
}

/**
 * Returns the error details for a violated unique constraint: one for each of its fields that clients write. If clients
 * write none of its fields, there is one detail for each field.
 * @returns `undefined` if the constraint is not a unique one
 */
export function uniqueFaults(metadata: EntityMetadata, constraint?: string): ErrorDetail[] | undefined {
  const names = uniqueFields(metadata, constraint);
  if (names.length === 0) return undefined;
  const fields = fieldsOf(metadata.target as FieldClass);
  const written = names.filter((name) => fields.get(name)?.options.readOnly !== true);
  return (written.length > 0 ? written : names).map((field) => {
    const others = names.filter((name) => name !== field);
    const scope = others.length > 0 ? ` together with ${others.join(' and ')}` : '';
    return { field, code: NOT_UNIQUE, message: `must be unique${scope}, and another row has this value` };
  });
}
