import {
  canLimit,
  findLimitedResource,
  findUserEntity,
  grantSourcesOf,
  grantsOfParent,
  limitedProperties,
  nameOf,
  type ParentRows,
  parentsOf,
} from '../access/row-limits.js';
import { ATTRIBUTES } from '../config/define-access.js';
import { Database } from '../database/database.js';
import { FieldClass } from '../fields/field.js';
import { RoutePolicy } from '../routes/route-policy.js';
import { ResourceDefinition } from './resource.js';

/**
 * Finds mistakes in the `attributes` of an application and the `rows` of its resources at start.
 * @throws Error that names the attribute, the resource or the route
 */
export function checkRows(policies: Iterable<RoutePolicy>, database: Database): void {
  const resources = new Set<ResourceDefinition>();
  for (const { resource, list, handler = '' } of policies) {
    if (resource) resources.add(resource);
    else if (list && ATTRIBUTES.length > 0)
      throw new Error(
        `${handler}: must be in a controller with @Resource(), because defineAccess() declares attributes`,
      );
  }
  const users = checkAttributes(database);
  for (const resource of resources) {
    const { rows, path, entity } = resource;
    if (ATTRIBUTES.length > 0 && rows === undefined)
      throw new Error(`${path}: must declare \`rows\`, because defineAccess() declares attributes`);
    checkResource(resource, database);
    if (entity === users && !canLimit(rows))
      throw new Error(`${path}: must declare \`rows\`, because defineAccess() declares attributes`);
  }
  checkReferences(database);
}

/**
 * Refuses foreign keys whose values the base cannot compare with the rows of a caller. A caller could refer by them to rows of
 * others, and find out which of them exist.
 */
function checkReferences(database: Database): void {
  for (const { foreignKeys, name } of database.manager.dataSource.entityMetadatas)
    for (const { columns, referencedColumns, referencedEntityMetadata } of foreignKeys) {
      const resource = findLimitedResource(referencedEntityMetadata.target as FieldClass);
      if (!resource || referencedColumns.some(({ propertyName }) => propertyName === 'id')) continue;
      const isLimited =
        typeof resource.rows === 'function'
          ? limitedProperties(resource).length > 0
          : canLimit(resource.rows);
      const properties = columns.map(({ propertyName }) => propertyName).join(', ');
      if (isLimited)
        throw new Error(
          `${name}: the foreign key of ${properties} must refer to the ids of ${nameOf(resource)}, because \`rows\` limit them`,
        );
    }
}

/** @returns the entity of users if the application declares attributes */
function checkAttributes(database: Database): object | undefined {
  const users = findUserEntity();
  if (ATTRIBUTES.length === 0 || !users) return undefined;
  const { columns, name } = database.metadataOf(users);
  const unknown = ATTRIBUTES.find((one) => !columns.some(({ propertyName }) => propertyName === one));
  if (unknown !== undefined)
    throw new Error(`defineAccess(), attributes: must name columns of ${name} (got ${unknown})`);
  return users;
}

function checkResource(resource: ResourceDefinition, database: Database): void {
  const { rows, path, entity } = resource;
  if (rows === undefined) return;
  const { columns, foreignKeys, name } = database.metadataOf(entity);
  for (const property of limitedProperties(resource).flat())
    if (!columns.some(({ propertyName }) => propertyName === property))
      throw new Error(`${path}: \`rows\` must name columns of ${name} (got ${property})`);
  if (typeof rows === 'function') return;
  for (const link of parentsOf(rows)) {
    const { parent, property } = link;
    const of = parent();
    if (!of) continue;
    if (of.rows === undefined)
      throw new Error(`${path}: rowsOf() must name a resource with \`rows\` (got ${nameOf(of)})`);
    const table = database.metadataOf(of.entity).tableName;
    const isKey = foreignKeys.some(
      ({ columns: [column, ...others], referencedEntityMetadata, referencedColumns: [id] }) =>
        column?.propertyName === property &&
        others.length === 0 &&
        referencedEntityMetadata.tableName === table &&
        id?.propertyName === 'id',
    );
    if (!isKey)
      throw new Error(
        `${path}: rowsOf() must name a property with a foreign key to the ids of ${table} (got ${property})`,
      );
    assertGrantsOfParent(resource, link);
  }
}

/** A denial on a parent must hide what belongs to it, unless the resource says explicitly that no grants apply. */
function assertGrantsOfParent(resource: ResourceDefinition, link: ParentRows): void {
  const declared = grantSourcesOf(resource);
  const missing = grantsOfParent(link).find(({ type }) => declared.every((source) => source.type !== type));
  if (missing && declared.length > 0)
    throw new Error(
      `${resource.path}: \`grants\` must include the type ${missing.type}, as those of the parent do: add grantsOf(), grantsOnParent() or denialsOnParent()`,
    );
}
