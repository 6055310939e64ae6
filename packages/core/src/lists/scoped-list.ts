import { findLimitedResource, limitedProperties } from '../access/row-limits.js';
import { ListDefinition } from './list-definition.js';

const scopedLists = new WeakMap<ListDefinition, ListDefinition>();

/**
 * Returns a list with the properties by which `rows` of its resource limits callers. The totals of the list are kept by
 * these properties too, and its indexes begin with them, so that a page for one company costs as much as one for everybody.
 * If `rows` limits callers by no property, returns the list as it is.
 */
export function scopedList(list: ListDefinition): ListDefinition {
  const resource = findLimitedResource(list.entity);
  if (typeof resource?.rows !== 'function') return list;
  let scoped = scopedLists.get(list);
  if (!scoped) {
    const scopedBy = limitedProperties(resource);
    const totals = list.totals && [...new Set([...scopedBy, ...list.totals])];
    scoped = Object.freeze({ ...list, scopedBy, ...(totals && { totals }) });
    scopedLists.set(list, scoped);
  }
  return scoped;
}
