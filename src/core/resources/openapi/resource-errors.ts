import { EntityMetadata } from 'typeorm';

import { ErrorType } from '../../http/errors/catalogue.js';
import { RoutePolicy } from '../../http/route-policy.js';
import '../resource.js';

/** A constraint of a table, as far as errors follow from it. */
export interface Constraint {
  readonly name: string;
  /** The properties that it is about; `undefined` where TypeORM does not know them, as of indexes on expressions. */
  readonly properties?: readonly string[];
}

/**
 * The errors of its resource that a route can answer: 404 where its own path names a row, and those of the constraints
 * that its method can violate. Constraints of other tables are in the way of a deletion; those of its own, of writes
 * whose body has one of their properties.
 *
 * @param own the constraints of the resource's own table
 * @param written the properties that the body of the route has
 */
export function resourceErrors(
  method: string,
  { resource, ownPath = '' }: RoutePolicy,
  own: readonly Constraint[],
  written: readonly string[],
): ErrorType[] {
  if (!resource) return [];
  const violable = Object.entries(resource.constraints ?? {}).filter(([name]) => {
    const constraint = own.find((candidate) => candidate.name === name);
    if (!constraint) return method === 'DELETE';
    if (method === 'GET' || method === 'DELETE') return false;
    const { properties } = constraint;
    return method === 'POST' || !properties || properties.some((property) => written.includes(property));
  });
  return [...(ownPath.includes(':') ? [resource.notFound] : []), ...violable.map(([, error]) => error)];
}

/** The constraints of a table as TypeORM knows them. */
export function constraintsOf({
  uniques,
  indices,
  foreignKeys,
  checks,
  columns: all,
}: EntityMetadata): Constraint[] {
  const withColumns = [...uniques, ...indices, ...foreignKeys].map(({ name, columns }) => ({
    name,
    // Of an index on an expression it knows the name alone.
    properties: columns.length > 0 ? columns.map(({ propertyName }) => propertyName) : undefined,
  }));
  const checked = checks.map(({ name, expression }) => ({
    name,
    properties: all
      .filter(({ databaseName }) => new RegExp(`\\b${databaseName}\\b`).test(expression))
      .map(({ propertyName }) => propertyName),
  }));
  return [...withColumns, ...checked];
}
