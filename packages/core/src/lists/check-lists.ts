import { Database } from '../database/database.js';
import { EntityTable } from '../database/entity-table.js';
import { Totals } from '../database/totals-sql.js';
import { fieldsOf } from '../fields/field.js';
import { RoutePolicy } from '../routes/route-policy.js';
import { filterParameterFor } from './filters.js';
import { ListDefinition, ListFilter, withListName, LIST_PARAMETERS } from './list-definition.js';
import { filterType } from './list-sql.js';
import { resolveTotals } from './list-total.js';
import { isSearchableSql, RELEVANCE, searchColumn, SEARCH_FILTER } from './search.js';
import { scopedList } from './scoped-list.js';
import { parseSort, buildSortKeys } from './sort.js';

/**
 * Finds mistakes in the declarations of lists at start, before they make requests fail.
 * @throws Error that names the list and the part of its declaration
 */
export function checkLists(
  policies: Iterable<RoutePolicy>,
  tableOf: (definition: ListDefinition) => EntityTable,
): void {
  const kept = new Map<string, Totals>();
  const byName = new Map<string, ListDefinition>();
  for (const { list, fixedFilterProperties = [] } of policies) {
    if (!list) continue;
    const { name } = list;
    if ((byName.get(name) ?? list) !== list) throw new Error(`two lists are called ${name}`);
    const table = tableOf(list);
    for (const property of fixedFilterProperties)
      withListName(name, 'fixed filter', () => table.operand(property));
    if (byName.has(name)) continue;
    byName.set(name, list);
    checkList(list, table);
    const totals = withListName(name, 'totals', () => resolveTotals(scopedList(list), table));
    const others = totals && kept.get(totals.table);
    if (others && String(others.columns) !== String(totals.columns))
      throw new Error(
        `list ${name}, totals: another list of the table has totals by ${others.columns.join(', ')}`,
      );
    if (totals) kept.set(totals.table, totals);
  }
}

/**
 * Checks that the tables of lists with `search` have the column and the index that searches use.
 * @throws Error at start, with the command that writes the missing migration
 */
export async function checkSearches(policies: Iterable<RoutePolicy>, database: Database): Promise<void> {
  for (const { list } of policies) {
    if (!list?.search) continue;
    const table = database.metadataOf(list.entity).tableName;
    if ((await database.query({ text: isSearchableSql, values: [table] })).length > 0) continue;
    const command = `npm run migration:generate -- search-${table.replaceAll('_', '-')}`;
    throw new Error(
      `list ${list.name}, search: ${table} has no column or index for it in the current spelling: run \`${command}\``,
    );
  }
}

function checkList(list: ListDefinition, table: EntityTable): void {
  const { name, entity, only, filters, sorts, defaultSort, search, facets, unindexed } = list;
  withListName(name, 'only', () => only?.(table.row as never));
  withListName(name, 'search', () => {
    if (!search) return;
    searchColumn(search, table);
    if (filters.get(SEARCH_FILTER.name) !== SEARCH_FILTER || sorts.includes(RELEVANCE))
      throw new Error(`the list has a filter ${SEARCH_FILTER.name} or a sort ${RELEVANCE} of its own`);
  });
  for (const filter of filters.values())
    withListName(name, `filter ${filter.name}`, () => {
      if (LIST_PARAMETERS.includes(filter.name))
        throw new Error('the parameter means something else in every list');
      if (filter !== SEARCH_FILTER) assertFilter(filter, table);
    });
  for (const property of [...sorts, 'id'])
    withListName(name, `sort ${property}`, () => {
      assertNotSelectFalse(table, property);
      buildSortKeys(table, [{ property, direction: 'asc' }]);
    });
  const indexable = [
    ...sorts,
    ...[...filters].flatMap(([filter, { property = filter }]) => [filter, property]),
  ];
  for (const one of unindexed)
    withListName(name, 'unindexed', () => {
      if (!indexable.includes(one)) throw new Error(`must name a sort or a filter of the list (got ${one})`);
    });
  for (const [property, facet] of Object.entries(facets))
    withListName(name, `facet ${property}`, () => {
      if (table.column(property).isHidden) throw new Error(`${property} is never shown (select: false)`);
      const kind = fieldsOf(entity).get(property)?.type;
      if (kind) filterParameterFor(kind, facet === 'range' ? '>=' : '=');
    });
  // `parseSort()` returns a message if the sort is faulty.
  const sort = parseSort(defaultSort, sorts);
  if (typeof sort === 'string') throw new Error(`list ${name}, default sort: ${sort}`);
}

/** @throws Error for a filter on a hidden column, and for a filter that ignores its value */
function assertFilter(filter: ListFilter, table: EntityTable): void {
  if (filter.property !== undefined) assertNotSelectFalse(table, filter.property);
  const placeholder = `$1::${filterType(filter, table)}`;
  if (!filter.sql(placeholder, table.row as never).includes(placeholder))
    throw new Error('its SQL does not use the value');
}

/** Filtering or sorting by a hidden column would let clients guess its value. */
function assertNotSelectFalse(table: EntityTable, property: string): void {
  if (table.operand(property).isHidden) throw new Error(`${property} is never shown (select: false)`);
}
