import { setTimeout as sleep } from 'node:timers/promises';

import { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, Driver, EntityManager, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';

import { currentCaller } from './caller-shares.js';
import { ConnectionPool } from './connection-pool.js';
import { AfterCommit, SqlExecutor, QueryExecutor, Statement } from './sql-executor.js';
import { isConflict, isStalePlan } from './database-error.js';
import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { isReplicaFault, ReplicaPools, Replicas } from './replicas.js';
import { RowCursor } from './row-cursor.js';
import { RowStream } from './row-stream.js';
import { RESULT_TYPES } from './result-types.js';
import { FirstStatements, DatabaseTransaction } from './transaction.js';

/** How often a transaction or statement runs at most, if PostgreSQL aborts it because of a conflict with others. */
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 5;

/**
 * Statements and transactions over TypeORM's pool. In a transaction only the connection that it gives may be used.
 * @example
 * await database.transaction(async (tx) => {
 *   const [order] = await tx.query<Order>({ text: 'select * from orders where id = $1 for update', values: [id] });
 *   await tx.manager.save(Invoice, { orderId: order.id });
 * });
 */
export class Database implements SqlExecutor, OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly replicas = this.replicaPools && new Replicas(this.replicaPools, this);
  private readonly logger = new Logger('AfterCommit');
  /** The caller of each export that is running. */
  private readonly cursors: string[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly replicaPools?: ReplicaPools,
  ) {}

  /** The database for reads that may be slightly out of date: a replica if the request may use one, or else the primary. */
  get reader(): QueryExecutor {
    return this.replicas?.current ?? this;
  }

  onApplicationBootstrap(): void {
    this.replicas?.start();
  }

  /** Runs one statement. Runs it again if PostgreSQL aborts it because of a conflict with others. */
  query<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.retryConflicts(
      async () => (await this.pool.query<Row>({ ...statement, types: RESULT_TYPES })).rows,
    );
  }

  /**
   * Runs `work` in one transaction (READ COMMITTED), which commits when it returns and rolls back when it throws.
   * If PostgreSQL aborts the transaction because of a conflict, `work` runs again from the start. So effects outside of the
   * database belong in `afterCommit`. If the connection is lost during COMMIT, nothing runs again.
   * @param first runs with the first statement of `work`, before it
   */
  transaction<T>(work: (tx: SqlExecutor) => Promise<T>, first?: FirstStatements): Promise<T> {
    return this.retryConflicts(async () => {
      const transaction = new DatabaseTransaction(this.pool, this.dataSource, first);
      const result = await transaction.run(work);
      await this.runAfterCommit(transaction.afterCommits);
      return result;
    });
  }

  /**
   * All rows of a statement, read in batches from one snapshot as fast as they are consumed: for results that are too
   * large to hold in memory. The rows are read from the request's replica, if it has one. Reading them holds a connection.
   * @throws ApiError at the first row, `OVERLOADED` if exports hold a quarter of the pool, or the caller's half of that
   * @example for await (const { name } of database.stream<Product>({ text: 'select name from products', values: [] })) …
   */
  stream<Row extends object>(statement: Statement): AsyncIterable<Row> {
    return new RowStream<Row>(() => this.openCursor(statement));
  }

  afterCommit(work: AfterCommit): void {
    void this.runAfterCommit([work]);
  }

  metadataOf(entity: EntityTarget<ObjectLiteral>): EntityMetadata {
    return this.dataSource.getMetadata(entity);
  }

  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  get pool(): ConnectionPool {
    return (this.dataSource.driver as Driver & { readonly master: ConnectionPool }).master;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.replicas?.stop();
  }

  private async openCursor(statement: Statement): Promise<RowCursor> {
    const caller = currentCaller();
    const places = Math.max(1, Math.floor(this.pool.options.max / 4));
    const own = this.cursors.filter((other) => other === caller).length;
    // One caller gets half of the places, so that others can export at the same time.
    if (this.cursors.length >= places || own >= Math.max(1, Math.floor(places / 2)))
      throw new ApiError(HttpErrors.OVERLOADED, 'Too many exports are running. Try again later.', {
        headers: { 'retry-after': '10' },
      });
    const open = (pool: ConnectionPool): Promise<RowCursor> => {
      this.cursors.push(caller);
      return RowCursor.open(pool, statement, () => void this.cursors.splice(this.cursors.indexOf(caller), 1));
    };
    const { pool } = this.replicas?.current ?? this;
    return open(pool).catch((error: unknown) => {
      if (pool === this.pool || !isReplicaFault(error)) throw error;
      return open(this.pool);
    });
  }

  private async runAfterCommit(works: readonly AfterCommit[]): Promise<void> {
    for (const work of works) {
      try {
        await work();
      } catch (error) {
        this.logger.error('Work after a commit failed', error instanceof Error ? error.stack : error);
      }
    }
  }

  private async retryConflicts<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (isStalePlan(error) && attempt < MAX_ATTEMPTS + this.pool.options.max) continue;
        if (!isConflict(error) || attempt >= MAX_ATTEMPTS) throw error;
        await sleep(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
      }
    }
  }
}
