import { Table } from '../database/table.js';
import { Totals } from '../database/totals-sql.js';
import { RoutePolicy } from '../http/route-policy.js';
import { ListDefinition } from './list-definition.js';
import './list-parameters.decorator.js';
import { ListStatements } from './list-statements.js';
import { OWN_PARAMETERS } from './read-list-query.js';
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
  const totals = new Map<string, Totals>();
  const byName = new Map<string, ListDefinition>();
  for (const { list, narrowedBy = [] } of policies) {
    if (!list) continue;
    if ((byName.get(list.name) ?? list) !== list) throw new Error(`two lists are called ${list.name}`);
    const isNew = !byName.has(list.name);
    byName.set(list.name, list);
    try {
      const table = tableOf(list);
      for (const property of narrowedBy) assertColumn(table, property);
      const kept = isNew && checkList(list, table);
      if (kept) totals.set(kept.table, onlyTotals(kept, totals.get(kept.table)));
    } catch (error) {
      throw new Error(`list ${list.name}, ${(error as Error).message}`, { cause: error });
    }
  }
}

/** Of several lists of one table, the totals are the same. */
function onlyTotals(totals: Totals, others: Totals | undefined): Totals {
  if (!others || String(others.columns) === String(totals.columns)) return totals;
  throw new Error(`totals: another list of ${totals.table} has them by ${others.columns.join(', ')}`);
}

function checkList(list: ListDefinition, table: Table): Totals | undefined {
  for (const name of list.filters.keys()) {
    if (OWN_PARAMETERS.includes(name))
      throw new Error(`filter ${name}: the parameter means something else in every list`);
  }
  // It says itself which filter or sort has no statement.
  const { totals } = new ListStatements(table, list);
  const sort = parseSort(list.defaultSort, list.sorts);
  if (sort instanceof SortFault) throw new Error(`default sort: ${sort.message}`);
  return totals;
}

function assertColumn(table: Table, property: string): void {
  try {
    table.operand(property);
  } catch (error) {
    throw new Error(`narrowed by a property: ${(error as Error).message}`, { cause: error });
  }
}
