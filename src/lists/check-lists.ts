import { Table } from '../database/table.js';
import { RoutePolicy } from '../http/route-policy.js';
import { ListDefinition } from './list-definition.js';
import './list-parameters.decorator.js';
import { OWN_PARAMETERS } from './read-list-query.js';
import { sortKeysOf } from './sort-sql.js';
import { parseSort, SortFault } from './sort.js';

/**
 * Refuses lists that cannot be answered: what is mistyped in a declaration stops the start, not a request.
 *
 * @param policies of all routes
 * @param tableOf the table of a list's entity
 * @throws Error that names the list and the property, of the first fault found
 */
export function checkLists(
  policies: Iterable<RoutePolicy>,
  tableOf: (definition: ListDefinition) => Table,
): void {
  const byName = new Map<string, ListDefinition>();
  for (const { list, narrowedBy = [] } of policies) {
    if (!list) continue;
    if ((byName.get(list.name) ?? list) !== list) throw new Error(`two lists are called ${list.name}`);
    byName.set(list.name, list);
    checkList(list, narrowedBy, tableOf(list));
  }
}

function checkList(list: ListDefinition, narrowedBy: readonly string[], table: Table): void {
  const attempt = (what: string, use: () => unknown): void => {
    try {
      use();
    } catch (error) {
      throw new Error(`list ${list.name}, ${what}: ${(error as Error).message}`, { cause: error });
    }
  };
  for (const [name, { property }] of Object.entries(list.filters)) {
    attempt(`filter ${name}`, () => table.column(property));
    if (OWN_PARAMETERS.includes(name))
      throw new Error(`list ${list.name}, filter ${name}: the parameter means something else in every list`);
  }
  for (const property of narrowedBy) attempt('narrowed by a property', () => table.column(property));
  for (const property of [...list.sorts, 'id']) {
    attempt(`sort ${property}`, () => [
      sortKeysOf(table, [{ property, direction: 'asc' }]),
      sortKeysOf(table, [{ property, direction: 'desc' }]),
    ]);
  }
  for (const name of list.ranges.flat()) {
    if (!Object.hasOwn(list.filters, name))
      throw new Error(`list ${list.name}, ranges: there is no filter ${name}`);
  }
  const sort = parseSort(list.defaultSort, list.sorts);
  if (sort instanceof SortFault) throw new Error(`list ${list.name}, default sort: ${sort.message}`);
}
