import { setTimeout as sleep } from 'node:timers/promises';

import { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, Driver, EntityManager, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';

import { currentCaller } from './caller-shares.js';
import { ConnectionPool } from './connection-pool.js';
import { AfterCommit, SqlExecutor, QueryExecutor, Statement } from './sql-executor.js';
import { isConflict, isConnectionLost, isStalePlan } from './database-error.js';
import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { isReplicaFault, ReplicaPools, Replicas } from './replicas.js';
import { RowCursor } from './row-cursor.js';
import { RowStream } from './row-stream.js';
import { RESULT_TYPES } from './result-types.js';
import { FirstStatements, DatabaseTransaction } from './transaction.js';

/** The most times that a transaction or statement runs if PostgreSQL aborts it because of a conflict with others. */
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 5;

/**
 * Runs statements and transactions on TypeORM's pool of connections. Inside a transaction, use only `tx`: statements on
 * `Database` itself run on another connection, outside of the transaction.
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

  /** The primary, for reads only. If a connection is lost during a statement, another one runs the statement again. */
  private readonly primaryReader: QueryExecutor = {
    query: (statement) =>
      this.query<never>(statement).catch((error: unknown) => {
        if (!isConnectionLost(error)) throw error;
        return this.query<never>(statement);
      }),
  };

  /**
   * The database for reads that may be slightly out of date: a replica if the request may use one, or else the primary.
   * If the connection is lost during a statement, the statement runs once more. So do not use it for writes.
   */
  get reader(): QueryExecutor {
    return this.replicas?.current ?? this.primaryReader;
  }

  /** The database for decisions about access: the primary, or a replica only while the primary is away. */
  get accessReader(): QueryExecutor {
    return this.replicas?.substitute ?? this.primaryReader;
  }

  onApplicationBootstrap(): void {
    this.replicas?.start();
  }

  /** Runs one statement. If PostgreSQL aborts the statement because of a conflict with others, runs it again. */
  query<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.retryConflicts(
      async () => (await this.pool.query<Row>({ ...statement, types: RESULT_TYPES })).rows,
    );
  }

  /**
   * Runs `work` in a transaction (READ COMMITTED). The transaction commits when `work` returns, and rolls back when
   * `work` throws. If PostgreSQL aborts the transaction because of a conflict, `work` runs again from its start. Put
   * effects outside of the database into `afterCommit()`, so that they happen only once. If the connection is lost
   * during COMMIT, `work` does not run again, because PostgreSQL may have committed the transaction.
   * @param first runs before the first statement of `work`, and not at all if `work` runs no statement
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
   * Returns all rows of a statement whose result is too large to hold in memory. The rows are read in batches from one
   * snapshot, as fast as the caller consumes them. If the request uses a replica, they are read from there. Until the
   * last row is read, the stream occupies a connection.
   * @throws ApiError `OVERLOADED` when the first row is read, if the running streams occupy a quarter of the pool's
   *   connections, or if those of the same caller occupy half of this quarter
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
    // One caller may use half of the places, so that others can export at the same time.
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
      if (pool === this.pool ? !isConnectionLost(error) : !isReplicaFault(error)) throw error;
      return open(this.replicas?.isPrimaryAway ? pool : this.pool);
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
        // A connection with an outdated plan is not reused. Each connection of the pool may have one, so each gets an
        // attempt.
        if (isStalePlan(error) && attempt < MAX_ATTEMPTS + this.pool.options.max) continue;
        if (!isConflict(error) || attempt >= MAX_ATTEMPTS) throw error;
        await sleep(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
      }
    }
  }
}
