import { hash } from 'node:crypto';

import { EntityManager } from 'typeorm';

export type AfterCommit = () => void | Promise<void>;

/** A statement of `pg` with its parameters. PostgreSQL keeps a statement with a name prepared: see `prepared()`. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
  readonly name?: string;
}

/**
 * Runs statements: the `Database` on any connection of the pool, a transaction on its own connection. Give a method a
 * parameter of this type, and it works inside and outside of a transaction.
 */
export interface SqlExecutor {
  /** TypeORM's entity manager on this connection: its repositories take part in the transaction. */
  readonly manager: EntityManager;

  /** Runs a statement. A `bigint`, such as an id, is a number in its rows, or text if a number cannot hold it exactly. */
  query<Row extends object>(statement: Statement): Promise<Row[]>;

  /** Runs `work` in a new transaction, or as a part of this transaction. See `Database.transaction()`. */
  transaction<T>(work: (tx: SqlExecutor) => Promise<T>): Promise<T>;

  /** Runs `work` after the commit; outside a transaction, at once. An error of `work` is logged. */
  afterCommit(work: AfterCommit): void;
}

/** A server that answers reads: the primary or a replica. */
export type QueryExecutor = Pick<SqlExecutor, 'query'>;

/**
 * A statement that PostgreSQL parses once per connection, and plans less often. Each text stays prepared on each
 * connection, so use it only if the code has a few texts. Do not use it for a text that depends on what a client sends.
 * @example const rows = await database.query<Order>(prepared('select * from orders where id = $1', [id]));
 */
export const prepared = (text: string, values: unknown[]): Statement => ({
  text,
  values,
  name: `q_${hash('sha1', text, 'base64url')}`,
});
