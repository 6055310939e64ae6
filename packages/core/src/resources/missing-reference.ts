import { EntityMetadata } from 'typeorm';

import { faultError } from '../fields/faults.js';
import { FieldClass, fieldsOf } from '../fields/field.js';
import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';

/**
 * Returns a 422 if the violated constraint is a foreign key, and the field that refers to the missing row is one that
 * clients write. Call it only if the resource declares no error for the constraint.
 */
export function missingReferenceError(
  { foreignKeys, target }: EntityMetadata,
  constraint: string | undefined,
  written: object,
): ApiError | undefined {
  const fields = fieldsOf(target as FieldClass);
  const properties = foreignKeys
    .filter(({ name }) => name === constraint)
    .flatMap(({ columns }) => columns.map(({ propertyName }) => propertyName))
    .filter((property) => property in written && fields.has(property))
    .filter((property) => fields.get(property)?.options.readOnly !== true);
  if (properties.length === 0) return undefined;
  const message = 'refers to a resource that does not exist';
  return faultError(
    HttpErrors.UNPROCESSABLE_ENTITY,
    properties.map((field) => ({ field, code: 'NOT_ALLOWED', message })),
  );
}
