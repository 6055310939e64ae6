import { INestApplication } from '@nestjs/common';
import { FastifyInstance } from 'fastify';
import { DataSource } from 'typeorm';

import { ErrorType } from '../http/errors/define-errors.js';
import { uniqueFaults, uniqueFields } from '../resources/unique-values.js';
import { DetailsByCode } from './error-schemas.js';
import { DocumentedOperation, requestBodyRef, schemaProperties, Schemas } from './openapi.js';

/** Returns the `details` of errors for values that are not unique, by code. */
export function collectUniqueFaults(
  policies: FastifyInstance['policies'],
  dataSource: DataSource,
): DetailsByCode {
  const resources = [...policies.values()].flatMap(({ resource }) => resource ?? []);
  const details = resources.flatMap(({ entity, constraints = {} }) =>
    Object.entries(constraints).map(([name, { code }]) => [
      code,
      uniqueFaults(dataSource.getMetadata(entity), name),
    ]),
  );
  return Object.fromEntries(details.filter(([, faults]) => faults)) as DetailsByCode;
}

/**
 * Returns the errors of the resource that an operation can respond with: 404, and the errors of the constraints that
 * the operation can violate. A deletion can violate constraints of other tables that refer to the row. A change can
 * violate the constraints of the columns that it writes, and a creation all constraints of the table.
 */
export function resourceErrors(
  { operation, method, policy: { resource, pathInResource = '', batch } }: DocumentedOperation,
  schemas: Schemas,
  nest: INestApplication,
): ErrorType[] {
  if (!resource) return [];
  const table = nest.get(DataSource, { strict: false }).getMetadata(resource.entity);
  const checks = table.checks.map(({ name }) => ({ name, columns: [] }));
  const own = [...checks, ...table.uniques, ...table.indices, ...table.foreignKeys];
  const written = schemaProperties(schemas, requestBodyRef(operation));
  const violable = Object.entries(resource.constraints ?? {}).filter(([name]) => {
    const constraint = own.find((one) => one.name === name);
    if (!constraint) return method === 'DELETE' || batch?.has('delete');
    const properties = [
      ...constraint.columns.map(({ propertyName }) => propertyName),
      ...uniqueFields(table, name),
    ];
    return method === 'POST' || properties.some((property) => property in written);
  });
  const namesRow = pathInResource.includes(':') || batch?.has('update') || batch?.has('delete');
  return [...(namesRow ? [resource.notFound] : []), ...violable.map(([, error]) => error)];
}
