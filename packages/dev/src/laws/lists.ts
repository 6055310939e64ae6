import { EntityTable, ListDefinition, listStatement, type RowLimit } from '@plinth/core/dev';
import { Client, escapeIdentifier } from 'pg';
import { DataSource, EntityMetadata } from 'typeorm';

import { withClient } from '../database-client.js';
import { Combination, indexedCombinations } from '../lists/combinations.js';
import { explainPlans, tableReads } from '../lists/plan.js';
import { createSampleTables, SAMPLE_ROWS } from '../lists/sample-table.js';
import { limitText, ServedList } from '../lists/served-lists.js';
import { sortIndexKeys } from '../migrations/sort-indexes.js';

/** A page has 20 rows. A plan that reads more than this part of the table would read most of a large one, too. */
const MAX_READ_SHARE = 0.25;

/**
 * Runs the queries of lists on generated rows, and returns a line for each filter and sort for which PostgreSQL reads a large
 * part of the table to find one page. The rows are in copies of the tables, in the database of the data source.
 *
 * @param served the lists, with the properties that their routes fix
 */
export function listFaults(dataSource: DataSource, served: readonly ServedList[]): Promise<string[]> {
  const { url } = dataSource.options as { readonly url?: string };
  return withClient({ connectionString: url }, async (client) => {
    const faults: string[] = [];
    const metadataOf = ({ list }: ServedList): EntityMetadata => dataSource.getMetadata(list.entity);
    for (const metadata of new Set(served.map(metadataOf))) {
      const ofTable = served.filter((one) => metadataOf(one) === metadata);
      const lists = ofTable.map(({ list }) => list);
      // Only in samples with parents does each row belong to the parent of its number.
      for (const hasParents of [false, true]) {
        const chosen = ofTable.filter(({ limit = [] }) => limit.flat().some(isOfParent) === hasParents);
        if (chosen.length === 0) continue;
        const links = findLinks(
          metadata,
          chosen.flatMap(({ limit = [] }) => limit),
        );
        const tables = [...links].map(([one, linked]) => {
          return { metadata: one, lists: one === metadata ? lists : [], linked };
        });
        const drop = await createSampleTables(client, tables);
        const names = tables.map((table) => table.metadata.tableName);
        for (const one of chosen) faults.push(...(await faultsOf(client, metadata, one, lists, names)));
        await drop();
      }
    }
    return faults;
  });
}

const isOfParent = (condition: RowLimit[number][number]): boolean => 'parent' in condition;

/** Returns the tables that a limit reads, with the properties of each that name parents. */
function findLinks(
  metadata: EntityMetadata,
  limit: RowLimit,
  found = new Map<EntityMetadata, Set<string>>(),
): Map<EntityMetadata, Set<string>> {
  const linked = found.get(metadata) ?? new Set();
  found.set(metadata, linked);
  for (const condition of limit.flat())
    if ('parent' in condition) {
      const { entity, anyOf } = condition.parent;
      linked.add(condition.property);
      findLinks(metadata.dataSource.getMetadata(entity), anyOf ?? [], found);
    }
  return found;
}

/** @param tables the tables whose reads count */
async function faultsOf(
  client: Client,
  metadata: EntityMetadata,
  served: ServedList,
  lists: readonly ListDefinition[],
  tables: readonly string[],
): Promise<string[]> {
  const table = new EntityTable(metadata);
  const { tableName } = metadata;
  const faults = new Map<string, string>();
  for (const combination of indexedCombinations(served, metadata, lists))
    for (const position of ['page=1', 'cursor=']) {
      const key = `${combination.filter?.name ?? ''} ${combination.sort}`;
      if (faults.has(key)) continue;
      const plans = await explainPlans(client, listStatement(table, combination.at(position)));
      for (const { Plan: plan } of plans) {
        const { rows, scans } = tableReads(plan, tables);
        if (rows <= MAX_READ_SHARE * SAMPLE_ROWS) continue;
        const read = `reads ${rows} of ${SAMPLE_ROWS} rows of ${tableName} for one page (${scans.join(', ')})`;
        const cure = cureFor(combination, served, metadata);
        const caller = served.limit ? ` for callers with rows by ${limitText(served.limit)}` : '';
        const query = `${combination.text}&${position}${caller}`;
        faults.set(key, `list ${served.list.name}, ${query}: ${read}; ${cure}`);
      }
    }
  return [...faults.values()];
}

/** Names the index that finds the page, or the declaration that it needs none. */
function cureFor(
  { filter, sort, text }: Combination,
  { list, fixed, limit: [terms = []] = [] }: ServedList,
  metadata: EntityMetadata,
): string {
  const columnOf = (property: string): string | undefined => {
    const column = metadata.findColumnWithPropertyName(property);
    return column && escapeIdentifier(column.databaseName);
  };
  const { name, property = '', operator } = filter ?? {};
  const isSorted = sort === 'relevance' || columnOf(sort) !== undefined;
  const filtered = columnOf(property);
  const without = `or declare \`unindexed: ['${isSorted ? (name ?? sort) : sort}']\` in list ${list.name}`;
  if (!isSorted || (name !== undefined && filtered === undefined))
    return `it needs an index of your own, ${without}`;
  const order =
    sort === 'relevance' ? [] : sortIndexKeys(metadata, sort, text.endsWith(':asc') ? 'asc' : 'desc');
  if (operator === '@>')
    return `it needs an index on "${metadata.tableName}" using gin (${filtered ?? ''}), ${without}`;
  const leading = [
    ...[...fixed, ...terms.map((term) => term.property)].map((one) => columnOf(one) ?? ''),
    ...(filtered && operator === '=' ? [filtered] : []),
  ];
  const keys = filtered && operator !== '=' ? [...leading, filtered, '"id"'] : [...leading, ...order];
  return `it needs an index on "${metadata.tableName}" (${keys.join(', ')}), ${without}`;
}
