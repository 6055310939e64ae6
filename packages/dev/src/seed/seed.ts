import type { DataSource, EntityManager } from 'typeorm';

export type EntityClass = new () => object;

/** Defines what `plinth seed` can add. The default export of a project's `seed/seed.ts`. */
export interface Seed {
  /**
   * Kinds of rows. The key is the name of the option: `products` for `--products 100`. A kind comes after kinds that
   * its rows refer to.
   */
  readonly kinds: Readonly<Record<string, Kind>>;
  /** The rows that `--demo` adds. */
  readonly demo?: Demo;
  /** Seeds the random numbers. The same seed makes the same rows. */
  setRandomSeed(seed: number): void;
}

/** A kind of made-up rows. */
export interface Kind<Prepared = unknown> {
  /** The entities that it writes. `lastId` of a batch is from the table of the first entity. */
  readonly entities: readonly EntityClass[];
  /** Whether its rows are users who can log in, with a password that `plinth seed` prints. */
  readonly hasPassword?: boolean;
  /**
   * Called once, before the first batch. Reads what all rows need. @throws Error if rows that they refer to are missing
   */
  prepare?(manager: EntityManager): Promise<Prepared>;
  /**
   * Adds up to `size` rows. @returns how many were added, which is fewer if unique constraints leave no room for more
   */
  add(manager: EntityManager, size: number, batch: Batch<Prepared>): Promise<number>;
}

/** The input of one batch of rows. */
export interface Batch<Prepared> {
  readonly prepared: Prepared;
  /** The hash of the users' password. Empty for kinds without `hasPassword`. */
  readonly passwordHash: string;
  /** How many rows the run has added before this batch. */
  readonly made: number;
  /** How many rows the run is to add in total. */
  readonly count: number;
  /** The highest id of the table before the run. */
  readonly lastId: number;
}

/** Fixed rows, such as those that the examples of the documentation show. */
export interface Demo {
  readonly entities: readonly EntityClass[];
  /** The users who can log in. The command prints them. */
  readonly users: readonly { readonly id: number; readonly email: string; readonly role: string }[];
  /** Adds the rows, or restores them if they exist. @param passwordHash of each user */
  add(dataSource: DataSource, passwordHash: string): Promise<void>;
}

/**
 * Inserts rows with one statement, which is faster than TypeORM's `insert()`. Skips rows that violate a unique
 * constraint.
 *
 * @param rows that all have the same properties
 * @returns the ids of the rows that were added
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
