import type { DataSource, EntityManager } from 'typeorm';

export type EntityClass = new () => object;

/** What `plinth seed` adds: the default export of a project's `seed/seed.ts`. */
export interface Seed {
  /** Kinds of rows by their options, `--products 100`, those that others refer to first. */
  readonly kinds: Readonly<Record<string, Kind>>;
  /** Rows for `--demo`. */
  readonly demo?: Demo;
  /** Sets the start of the random numbers: the same number makes the same rows. */
  setRandomSeed(seed: number): void;
}

/** One kind of rows that are made up. */
export interface Kind<Prepared = unknown> {
  /** What it writes; the table of the first is the one that rows are counted by. */
  readonly entities: readonly EntityClass[];
  /** Whether its rows are users who may log in, by a password that `plinth seed` prints. */
  readonly hasPassword?: boolean;
  /** Reads what all its rows need. @throws Error where rows that they refer to are missing */
  prepare?(manager: EntityManager): Promise<Prepared>;
  /** Adds up to `size` rows. @returns how many were added: fewer where there is no room for more */
  add(manager: EntityManager, size: number, batch: Batch<Prepared>): Promise<number>;
}

/** What the rows of one batch are made from. */
export interface Batch<Prepared> {
  readonly prepared: Prepared;
  /** Of users; else empty. */
  readonly passwordHash: string;
  /** How many rows of the run were made before, and how many it makes in all. */
  readonly made: number;
  readonly count: number;
  /** The highest id of the table before the run. */
  readonly lastId: number;
}

/** Fixed rows, such as those that examples of the documentation show. */
export interface Demo {
  readonly entities: readonly EntityClass[];
  /** Those who may log in, for the terminal. */
  readonly users: readonly { readonly id: number; readonly email: string; readonly role: string }[];
  /** Adds the rows, or puts them back as they were. @param passwordHash of each user */
  add(dataSource: DataSource, passwordHash: string): Promise<void>;
}

/**
 * Inserts rows by one statement, past TypeORM's own; rows that break a unique constraint are passed over.
 *
 * @param rows with the same properties each
 * @returns the ids of what was added
 */
export function insertRows(
  manager: EntityManager,
  entity: EntityClass,
  rows: readonly object[],
): Promise<{ id: number }[]> {
  const { tableName, columns } = manager.dataSource.getMetadata(entity);
  const given = columns.filter(({ propertyName }) => propertyName in (rows[0] ?? {}));
  const names = given.map(({ databaseName }) => databaseName).join(', ');
  const values = rows.map((row) =>
    Object.fromEntries(
      given.map((column) => [column.databaseName, (row as Record<string, unknown>)[column.propertyName]]),
    ),
  );
  const text = `insert into ${tableName} (${names})
    select ${names} from json_populate_recordset(null::${tableName}, $1) on conflict do nothing returning id`;
  return manager.query(text, [JSON.stringify(values)]);
}
