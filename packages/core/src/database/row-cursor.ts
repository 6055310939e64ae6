import { PoolClient } from 'pg';

import { ConnectionPool } from './connection-pool.js';
import { RESULT_TYPES } from './result-types.js';
import { Statement } from './sql-executor.js';

/**
 * The time limit for reading one batch. It is long, because PostgreSQL may have to sort the whole table for the first
 * batch.
 */
export const BATCH_TIMEOUT_MS = 60_000;
/**
 * The time limit for a cursor, even if its client is slow. While the snapshot of the cursor is open, PostgreSQL cannot
 * remove dead rows.
 */
const CURSOR_TIMEOUT_MS = 600_000;
/** One batch has as many rows as the largest page of a list. */
const FETCH = 'fetch 100 from rows';

const BEGIN =
  'begin isolation level repeatable read read only; ' +
  `set local statement_timeout = ${BATCH_TIMEOUT_MS}; ` +
  `set local idle_in_transaction_session_timeout = ${BATCH_TIMEOUT_MS}`;

/**
 * Reads the rows of one statement in batches, so that an export of any size needs little memory. All batches are from
 * the same snapshot. The class uses a cursor of PostgreSQL, and occupies a connection until the last batch is read or
 * the cursor is closed.
 */
export class RowCursor {
  private upcoming: object[] = [];
  private isOpen = true;
  private readonly timer = setTimeout(() => this.abort(), CURSOR_TIMEOUT_MS).unref();

  private constructor(
    private readonly client: PoolClient,
    private readonly onEnd: () => void,
  ) {}

  /**
   * Opens a cursor and reads the first batch.
   * @param onEnd is called once, when the connection is released, or if no connection can be acquired
   */
  static async open(
    pool: ConnectionPool,
    { text, values }: Statement,
    onEnd: () => void,
  ): Promise<RowCursor> {
    const client = await pool.connect().catch((error: unknown) => {
      onEnd();
      throw error;
    });
    const cursor = new RowCursor(client, onEnd);
    try {
      await cursor.run(BEGIN);
      await cursor.run(`declare rows no scroll cursor for ${text}`, values);
      cursor.upcoming = await cursor.run(FETCH);
      return cursor;
    } catch (error) {
      await cursor.close();
      throw error;
    }
  }

  /**
   * Returns the next batch, which is empty after the end. When it returns the last batch, it releases the connection.
   */
  async next(): Promise<object[]> {
    const rows = this.upcoming;
    if (!this.isAtEnd) this.upcoming = await this.run(FETCH);
    if (this.isAtEnd) await this.close();
    return rows;
  }

  get isAtEnd(): boolean {
    return this.upcoming.length === 0;
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    await this.run('rollback').catch(() => undefined);
    this.release();
  }

  /** Ends the cursor at once by closing its connection, even while a batch is being read. */
  abort(): void {
    this.release(true);
  }

  private release(isBroken = false): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    clearTimeout(this.timer);
    this.client.release(isBroken);
    this.onEnd();
  }

  private async run(text: string, values: unknown[] = []): Promise<object[]> {
    if (!this.isOpen)
      throw new Error('the cursor is closed: its client disconnected, or it exceeded the time limit');
    const statement = { text, values, types: RESULT_TYPES, query_timeout: BATCH_TIMEOUT_MS + 1_000 };
    return (await this.client.query<object>(statement as Statement)).rows;
  }
}
