import { hash } from 'node:crypto';

import { EntityManager } from 'typeorm';

export type AfterCommit = () => void | Promise<void>;

/** A statement with its parameters, as `pg` takes it. One that has a name is prepared once per connection. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
  readonly name?: string;
}

/** An executor of statements: on any connection of the pool (the `Database`), or on the one of a transaction. */
export interface SqlExecutor {
  /** TypeORM's entity manager on this connection: its repositories take part in the transaction. */
  readonly manager: EntityManager;

  query<Row extends object>(statement: Statement): Promise<Row[]>;

  /** Runs `work` in a new transaction, see `Database.transaction`, or as a part of this connection's. */
  transaction<T>(work: (tx: SqlExecutor) => Promise<T>): Promise<T>;

  /** Leaves `work` to be done after the commit; what it throws is logged. Outside a transaction it is begun at once. */
  afterCommit(work: AfterCommit): void;
}

/** A server that reads are sent to: the primary, or a replica. */
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
