import { hash } from 'node:crypto';

import { EntityManager } from 'typeorm';

export type AfterCommit = () => void | Promise<void>;

/**
 * A statement for `pg`, with its parameters. If the statement has a name, PostgreSQL keeps it prepared (see
 * `prepared()`).
 */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
  readonly name?: string;
}

/**
 * Runs statements. `Database` runs them on any connection of the pool, and a transaction runs them on its own
 * connection. A method with a parameter of this type works both inside and outside of a transaction.
 */
export interface SqlExecutor {
  /** TypeORM's entity manager. In a transaction, the repositories of this manager take part in the transaction. */
  readonly manager: EntityManager;

  /**
   * Runs a statement, and returns its rows. A `bigint`, such as an id, is returned as a number, or as text if a number
   * cannot hold it exactly.
   */
  query<Row extends object>(statement: Statement): Promise<Row[]>;

  /** Runs `work` in a new transaction, or, inside a transaction, as a part of it. See `Database.transaction()`. */
  transaction<T>(work: (tx: SqlExecutor) => Promise<T>): Promise<T>;

  /** Runs `work` after the commit, or at once outside of a transaction. If `work` throws, the error is only logged. */
  afterCommit(work: AfterCommit): void;
}

/** A server that answers reads: the primary or a replica. */
export type QueryExecutor = Pick<SqlExecutor, 'query'>;

/**
 * Returns a statement that PostgreSQL parses only once per connection, and plans less often. Every different SQL text
 * stays prepared on each connection. Do not use it if there can be many different texts, above all if the text depends
 * on what a client sends.
 * @example const rows = await database.query<Order>(prepared('select * from orders where id = $1', [id]));
 */
export const prepared = (text: string, values: unknown[]): Statement => ({
  text,
  values,
  name: `q_${hash('sha1', text, 'base64url')}`,
});

/**
 * Prepares the first texts of a kind of statement whose text depends on what a client sends, such as an INSERT of the
 * properties of a body. Clients send few different sets of properties. Statements with further texts are not prepared,
 * so that a client cannot fill the memory of PostgreSQL.
 */
export class PreparedTexts {
  private readonly texts = new Set<string>();

  constructor(private readonly limit = 16) {}

  /** Returns the statement, prepared if its text is one of the first `limit` different texts. */
  statement(text: string, values: unknown[]): Statement {
    if (this.texts.size < this.limit) this.texts.add(text);
    return this.texts.has(text) ? prepared(text, values) : { text, values };
  }
}
