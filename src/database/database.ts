import { Injectable } from '@nestjs/common';
import { Pool, PoolClient } from 'pg';
import { DataSource, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';

import { Connection, Statement } from './connection.js';
import { codeOf } from './database-error.js';
import { migrate } from './migrate.js';

/** Conflicts between transactions that end well when they are tried again: serialization, deadlock. */
const TRANSIENT = ['40001', '40P01'];
const ATTEMPTS = 5;

/**
 * The database: TypeORM's pool and transactions, and prepared statements over them. A statement outside a
 * transaction goes through `query`; inside one, only what `transaction` hands out may be used.
 */
@Injectable()
export class Database implements Connection {
  constructor(private readonly dataSource: DataSource) {}

  async query<Row extends object>({ name, text, values }: Statement): Promise<Row[]> {
    return (await this.pool.query<Row>({ name, text, values: values as unknown[] })).rows;
  }

  /**
   * Runs `work` in one transaction (READ COMMITTED), committed when it returns, rolled back when it throws.
   * Where PostgreSQL gives it up for a conflict with others it is run again from the start, so it must not do
   * anything that cannot be done twice.
   */
  async transaction<T>(work: (on: Connection) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.dataSource.transaction(async (manager) => {
          const client = (await manager.queryRunner?.connect()) as PoolClient;
          return work(new TransactionConnection(client));
        });
      } catch (error) {
        if (attempt >= ATTEMPTS || !TRANSIENT.includes(codeOf(error) ?? '')) throw error;
      }
    }
  }

  /** Brings the schema up to date. @returns the names of the migrations that ran */
  migrate(): Promise<string[]> {
    return migrate(this.dataSource);
  }

  /** What TypeORM knows of an entity's table. */
  metadataOf(entity: EntityTarget<ObjectLiteral>): EntityMetadata {
    return this.dataSource.getMetadata(entity);
  }

  /** The pool that TypeORM keeps. */
  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

/** The one connection of a transaction: work of its own that asks for a transaction becomes a part of it. */
class TransactionConnection implements Connection {
  constructor(private readonly client: PoolClient) {}

  async query<Row extends object>({ name, text, values }: Statement): Promise<Row[]> {
    return (await this.client.query<Row>({ name, text, values: values as unknown[] })).rows;
  }

  transaction<T>(work: (on: Connection) => Promise<T>): Promise<T> {
    return work(this);
  }
}
