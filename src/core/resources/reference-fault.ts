import { EntityMetadata } from 'typeorm';

import { faultError } from '../fields/faults.js';
import { Fields, fieldsOf } from '../fields/field.js';
import { ApiError } from '../http/errors/api-error.js';
import { UNPROCESSABLE_ENTITY } from '../http/errors/http.errors.js';

/** The error for a foreign key that a resource gives none: 422 where a field that clients write names a missing row. */
export function referenceFault(
  { foreignKeys, target }: EntityMetadata,
  constraint: string | undefined,
  written: object,
): ApiError | undefined {
  const fields = fieldsOf(target as Fields);
  const properties = foreignKeys
    .filter(({ name }) => name === constraint)
    .flatMap(({ columns }) => columns.map(({ propertyName }) => propertyName))
    .filter((property) => property in written && fields.has(property))
    .filter((property) => fields.get(property)?.options.readOnly !== true);
  if (properties.length === 0) return undefined;
  const message = 'names nothing that is there';
  return faultError(
    UNPROCESSABLE_ENTITY,
    properties.map((field) => ({ field, code: 'NOT_ALLOWED', message })),
  );
}
