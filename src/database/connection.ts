/** A statement with its parameters. One that has a name is prepared once per connection. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string;
}

/** Where statements run: on any connection of the pool (the `Database`), or on the one of a transaction. */
export interface Connection {
  /** Runs one statement and gives its rows. */
  query<Row extends object>(statement: Statement): Promise<Row[]>;

  /**
   * Runs `work` in a transaction: in a new one, which commits when `work` returns and rolls back when it throws, or
   * as a part of the one that this connection is of. `work` may be run again, see `Database.transaction`.
   */
  transaction<T>(work: (on: Connection) => Promise<T>): Promise<T>;
}
