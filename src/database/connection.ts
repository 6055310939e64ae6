/** A statement with its parameters. One that has a name is prepared once per connection. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string;
}

/** Where statements run: on any connection of the pool, or on the one of a transaction. */
export interface Connection {
  /** Runs one statement and gives its rows. */
  query<Row extends object>(statement: Statement): Promise<Row[]>;
}
