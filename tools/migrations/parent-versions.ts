import { DataSource, EntityMetadata } from 'typeorm';

import { Table } from '../../src/core/database/table.js';
import {
  createParentVersionTriggers,
  dropParentVersionTriggers,
  ParentReference,
} from '../../src/core/database/version-trigger.js';
import { isResource } from './version-triggers.js';
import { inSequence, Statements } from './statements.js';

/** Whether a table has a trigger that writes another one. */
const IS_FOLLOWED = `
  select 1 from pg_trigger t join pg_proc p on p.oid = t.tgfoid
  where not t.tgisinternal and t.tgrelid = to_regclass(quote_ident($1))
    and p.prosrc ~* ('\\mupdate\\s+(only\\s+)?"?' || $2 || '"?\\M')`;

/** A table that computed fields of a resource read. */
export interface ReadTable {
  readonly table: string;
  /** The table of the resource. */
  readonly parent: string;
}

/**
 * Statements that create the triggers by which rows that computed fields read give the row that shows them a new
 * version, where they name it by a foreign key.
 */
export async function missingParentVersions(dataSource: DataSource): Promise<Statements> {
  const references = (await unfollowedTables(dataSource)).flatMap((read) => referencesOf(dataSource, read));
  return inSequence(
    references.map((reference) => ({
      up: createParentVersionTriggers(reference),
      down: dropParentVersionTriggers(reference),
    })),
  );
}

/**
 * The tables that computed fields read and that have no trigger which writes the table of the resource: their changes
 * leave its rows the version that they have, and with it an entity tag that stands for something else.
 */
export async function unfollowedTables(dataSource: DataSource): Promise<ReadTable[]> {
  const found = new Map<string, ReadTable>();
  for (const metadata of dataSource.entityMetadatas.filter(isResource)) {
    for (const read of await tablesReadBy(metadata)) {
      const isFollowed =
        (await dataSource.query<unknown[]>(IS_FOLLOWED, [read.table, read.parent])).length > 0;
      // Several entities may have one table.
      if (!isFollowed) found.set(`${read.table} ${read.parent}`, read);
    }
  }
  return [...found.values()];
}

/** The tables that a row is read of beside its own, as PostgreSQL plans to. */
async function tablesReadBy(metadata: EntityMetadata): Promise<ReadTable[]> {
  const { isWholeWhenWritten, whole, name } = new Table(metadata);
  if (isWholeWhenWritten) return [];
  const plan = await metadata.dataSource.query<unknown[]>(
    `explain (verbose, format json) select ${whole.sql} from ${name}`,
  );
  const names = [...JSON.stringify(plan).matchAll(/"Relation Name":"([^"]+)"/g)].map(
    ([, table = '']) => table,
  );
  const parent = metadata.tableName;
  return [...new Set(names)].filter((table) => table !== parent).map((table) => ({ table, parent }));
}

/** The columns of a table that hold the id of the parent, by its foreign keys. */
function referencesOf(dataSource: DataSource, { table, parent }: ReadTable): ParentReference[] {
  const keys = dataSource.entityMetadatas
    .filter(({ tableName }) => tableName === table)
    .flatMap(({ foreignKeys }) => foreignKeys)
    .filter(({ referencedEntityMetadata: { tableName } }) => tableName === parent);
  const columns = keys.flatMap(({ columnNames, referencedColumnNames }) =>
    columnNames.filter((_, i) => referencedColumnNames[i] === 'id'),
  );
  return [...new Set(columns)].map((column) => ({ table, column, parent }));
}
