import { PoolClient, QueryConfig, QueryResult } from 'pg';
import { DataSource, EntityManager, QueryRunner } from 'typeorm';

import { AfterCommit } from './after-commit.js';
import { PooledClient } from './connection-pool.js';
import { Connection, queryOf, rowsOf, Statement } from './connection.js';
import { keepsConnection } from './database-error.js';

/** One transaction, run once, on a connection that is its own until it ends. */
export class Transaction implements Connection {
  private readonly client: PooledClient & PoolClient;
  private readonly works: AfterCommit[] = [];
  private runner: QueryRunner | undefined;
  private hasEnded = false;
  /** The first error of a statement. */
  private failure: unknown;
  /** Whether there was an error that a rollback does not mend. */
  private isBroken = false;

  /** @param client checked out for this transaction, which releases it */
  constructor(
    client: PoolClient,
    private readonly dataSource: DataSource,
  ) {
    this.client = client as PooledClient & PoolClient;
  }

  /** Work to do after the commit. */
  get afterCommits(): readonly AfterCommit[] {
    return this.works;
  }

  /**
   * Begins, does `work`, and commits; where any of it fails, rolls back. To be called once.
   *
   * @throws what `work` throws, and errors of the database. A connection that is lost in COMMIT leaves it open
   *   whether the transaction was committed.
   */
  async run<T>(work: (on: Connection) => Promise<T>): Promise<T> {
    try {
      await this.send({ text: 'BEGIN' });
      const result = await work(this);
      this.end();
      await this.commit();
      this.client.release();
      return result;
    } catch (error) {
      this.end();
      await this.giveUp();
      throw error;
    }
  }

  async query<Row extends object>(statement: Statement): Promise<Row[]> {
    this.mustBeOpen();
    const { rows } = await this.send<Row>(queryOf(statement));
    return rowsOf(statement, rows);
  }

  /** Work of its own that asks for a transaction becomes a part of this one. */
  async transaction<T>(work: (on: Connection) => Promise<T>): Promise<T> {
    this.mustBeOpen();
    return work(this);
  }

  afterCommit(work: AfterCommit): void {
    this.mustBeOpen();
    this.works.push(work);
  }

  get manager(): EntityManager {
    this.mustBeOpen();
    this.runner ??= runnerOn(this.client, this.dataSource);
    return this.runner.manager;
  }

  private mustBeOpen(): void {
    if (!this.hasEnded) return;
    throw new Error(
      'The transaction has ended, and its connection takes nothing more. Await everything that is done on it.',
    );
  }

  private end(): void {
    this.hasEnded = true;
    // TypeORM's word for refusing further statements. The connection is not the runner's to release.
    void this.runner?.release();
  }

  private async commit(): Promise<void> {
    const { command } = await this.send({ text: 'COMMIT' });
    // PostgreSQL answers COMMIT with ROLLBACK, and no error, where a statement has failed.
    if (command === 'COMMIT') return;
    const message =
      'The transaction was rolled back: a statement of it failed, and the error was not thrown on.';
    throw new Error(message, { cause: this.failure });
  }

  /** Rolls back and releases the connection; one on which that cannot be done is closed, which rolls back as well. */
  private async giveUp(): Promise<void> {
    if (this.isBroken || !(await this.client.settle())) {
      this.client.release(true);
      return;
    }
    try {
      if (!this.client.isIdle) await this.send({ text: 'ROLLBACK' });
      this.client.release();
    } catch {
      this.client.release(true);
    }
  }

  private async send<Row extends object>(statement: QueryConfig): Promise<QueryResult<Row>> {
    try {
      return await this.client.query<Row>(statement);
    } catch (error) {
      this.failure ??= error;
      this.isBroken ||= !keepsConnection(error);
      // The error that ended the connection says more than that it is gone.
      throw this.client.lost ?? error;
    }
  }
}

/** The part of TypeORM's query runner for PostgreSQL that holds its connection. */
interface RunnerState {
  databaseConnection: PoolClient;
  isTransactionActive: boolean;
  transactionDepth: number;
}

/** A query runner of TypeORM's on a connection with an open transaction: transactions of its own are savepoints. */
function runnerOn(client: PoolClient, dataSource: DataSource): QueryRunner {
  const runner = dataSource.createQueryRunner();
  const state: RunnerState = { databaseConnection: client, isTransactionActive: true, transactionDepth: 1 };
  return Object.assign(runner, state);
}
