import { PoolClient, QueryResult } from 'pg';
import { DataSource, EntityManager, QueryRunner } from 'typeorm';

import { ConnectionPool } from './connection-pool.js';
import { PooledClient } from './pooled-client.js';
import { RESULT_TYPES } from './result-types.js';
import { AfterCommit, SqlExecutor, QueryExecutor, Statement } from './sql-executor.js';

type TransactionClient = PoolClient & PooledClient;

/**
 * Runs statements directly after `BEGIN`. If one of them fails, the first statement of the transaction's work throws
 * the error.
 */
export type FirstStatements = (tx: QueryExecutor) => Promise<void>;

/**
 * A transaction, which runs once. It acquires a connection when its first statement runs, so work without statements
 * occupies no connection.
 */
export class DatabaseTransaction implements SqlExecutor {
  readonly afterCommits: AfterCommit[] = [];
  private clientPromise: Promise<TransactionClient> | undefined;
  private runner: QueryRunner | undefined;
  private hasEnded = false;
  private failure: unknown;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly dataSource: DataSource,
    private readonly first?: FirstStatements,
  ) {}

  /** Runs `work` and commits, or rolls back if `work` fails. Call it once. */
  async run<T>(work: (tx: SqlExecutor) => Promise<T>): Promise<T> {
    try {
      const result = await work(this);
      this.end();
      const client = await this.clientPromise;
      if (client) await this.commit(client);
      return result;
    } catch (error) {
      this.end();
      await this.clientPromise?.then(rollBack, () => undefined);
      throw error;
    }
  }

  async query<Row extends object>(statement: Statement): Promise<Row[]> {
    this.assertOpen();
    return (await this.send<Row>(await this.begin(), statement)).rows;
  }

  /** Runs `work` as a part of this transaction. */
  async transaction<T>(work: (on: SqlExecutor) => Promise<T>): Promise<T> {
    this.assertOpen();
    return work(this);
  }

  afterCommit(work: AfterCommit): void {
    this.assertOpen();
    this.afterCommits.push(work);
  }

  get manager(): EntityManager {
    this.assertOpen();
    this.runner ??= this.createRunner();
    return this.runner.manager;
  }

  /**
   * Creates a TypeORM query runner on the connection of this transaction. A transaction that TypeORM begins on the
   * runner is a savepoint. A rollback to the savepoint also discards the work that was passed to `afterCommit()` after
   * the savepoint was set.
   */
  private createRunner(): QueryRunner {
    const runner = this.dataSource.createQueryRunner();
    // For each open savepoint, the length of `afterCommits` when the savepoint was set.
    const counts: number[] = [];
    const inTransaction: Partial<QueryRunner> = {
      isTransactionActive: true,
      connect: () => this.begin(),
      startTransaction: async () => {
        await runner.query(`SAVEPOINT nested_${counts.push(this.afterCommits.length)}`);
      },
      commitTransaction: async () => {
        await runner.query(`RELEASE SAVEPOINT nested_${counts.length}`);
        counts.pop();
      },
      rollbackTransaction: async () => {
        const depth = counts.length;
        this.afterCommits.length = counts.pop() ?? 0;
        await runner.query(`ROLLBACK TO SAVEPOINT nested_${depth}`);
      },
    };
    return Object.assign(runner, inTransaction);
  }

  private assertOpen(): void {
    if (!this.hasEnded) return;
    throw new Error(
      'The transaction has ended: its connection runs no further statement. Await every statement of a transaction.',
    );
  }

  private begin(): Promise<TransactionClient> {
    return (this.clientPromise ??= this.open());
  }

  private async open(): Promise<TransactionClient> {
    const client = (await this.pool.connect()) as TransactionClient;
    try {
      await client.query('BEGIN');
      await this.first?.({ query: async (statement) => (await this.send<never>(client, statement)).rows });
      return client;
    } catch (error) {
      await rollBack(client);
      throw error;
    }
  }

  private end(): void {
    this.hasEnded = true;
    // TypeORM then rejects further statements of the runner. The connection itself is not released here.
    void this.runner?.release();
  }

  private async commit(client: TransactionClient): Promise<void> {
    const { command } = await this.send(client, { text: 'COMMIT', values: [] });
    // If a statement has failed, PostgreSQL rolls back at COMMIT. It reports this by the command `ROLLBACK`, not by an
    // error.
    if (command !== 'COMMIT')
      throw new Error(
        'The transaction was rolled back: one of its statements failed, and the error was caught.',
        { cause: this.failure },
      );
    client.release();
  }

  private async send<Row extends object>(
    client: TransactionClient,
    statement: Statement,
  ): Promise<QueryResult<Row>> {
    try {
      return await client.query<Row>({ ...statement, types: RESULT_TYPES });
    } catch (error) {
      this.failure ??= error;
      // If an earlier error ended the connection, throw that error: it explains more than this one.
      throw client.fatalError ?? error;
    }
  }
}

/** Rolls back and releases the connection. The pool closes a connection that cannot be rolled back. */
async function rollBack(client: TransactionClient): Promise<void> {
  if (!client.fatalError && !client.isIdle) await client.query('ROLLBACK').catch(() => undefined);
  client.release();
}
