import { findLimitedResource, limitedProperties, limitsOfRoles, RowLimit } from '../access/row-limits.js';
import { ListDefinition } from './list-definition.js';

const scopedLists = new WeakMap<ListDefinition, ListDefinition>();

/**
 * Returns a list with the properties by which `rows` of its resource limits callers. The totals of the list are kept by
 * these properties too, and it gets indexes that begin with them, so that a page for one company costs as much as one for
 * everybody. If `rows` limits callers by no property, or by `id`, which has the primary key, returns the list as it is.
 */
export function scopedList(list: ListDefinition): ListDefinition {
  const resource = findLimitedResource(list.entity);
  if (typeof resource?.rows !== 'function') return list;
  let scoped = scopedLists.get(list);
  if (!scoped) {
    const scopes = limitedProperties(resource).filter((properties) => !properties.includes('id'));
    scoped = Object.freeze({ ...list, scopes });
    scopedLists.set(list, scoped);
  }
  return scoped;
}

/** Returns the different limits that `rows` of the resource of a list sets to callers of each role, without their values. */
export function listLimits({ entity }: ListDefinition): RowLimit[] {
  const resource = findLimitedResource(entity);
  return resource ? limitsOfRoles(resource) : [];
}
