import { EntityManager } from 'typeorm';

import { Database } from './database.js';
import { SqlExecutor, Statement } from './sql-executor.js';

/**
 * Runs one statement without BEGIN and COMMIT, and refuses everything else. A single statement is atomic by itself, so
 * the two round trips of a transaction would add nothing.
 */
export class SingleStatement implements SqlExecutor {
  private hasRun = false;

  constructor(private readonly database: Database) {}

  /** @throws Error if a statement has already run */
  async query<Row extends object>(statement: Statement): Promise<Row[]> {
    if (this.hasRun) throw needsTransaction('a second statement');
    this.hasRun = true;
    return this.database.query(statement);
  }

  transaction(): never {
    throw needsTransaction('transaction()');
  }

  afterCommit(): never {
    throw needsTransaction('afterCommit()');
  }

  get manager(): EntityManager {
    throw needsTransaction('the entity manager');
  }
}

const needsTransaction = (use: string): Error =>
  new Error(`a handler with @SingleStatement() runs one statement: use @Transaction() for ${use}`);
