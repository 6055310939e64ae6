import { fieldsOf } from '../fields/field.js';
import { Parent, ResourceOptions } from './resource.js';

/** A path parameter, and the property of the row that it names. */
export interface PathName {
  readonly property: string;
  readonly parameter: string;
  readonly isUuid: boolean;
}

/**
 * The names of a route's path, the outermost first: the parents of its resource, and by the last
 * parameter of its own path, the row.
 *
 * @param path of the route, under that of its resource
 */
export function namesOf({ entity, parent }: ResourceOptions, path: string): PathName[] {
  const fields = fieldsOf(entity);
  const nameOf = (property: string, parameter: string): PathName => {
    const isUuid = fields.get(property)?.kind.schema.format === 'uuid';
    return { property, parameter, isUuid };
  };
  const own = path.split('/').findLast((segment) => segment.startsWith(':'));
  return [
    ...parentsOf(parent).map(({ property, parameter = property }) => nameOf(property, parameter)),
    ...(own ? [nameOf('id', own.slice(1))] : []),
  ];
}

/** The names of a path that are the parents'. */
export const ofParents = (names: readonly PathName[]): PathName[] =>
  names.filter(({ property }) => property !== 'id');

/** A parent and those that it belongs to itself, the outermost first. */
function parentsOf(parent: Parent | undefined): Parent[] {
  return parent ? [...parentsOf(parent.parent), parent] : [];
}
