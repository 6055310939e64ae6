import { PoolClient } from 'pg';

import { ConnectionPool } from './connection-pool.js';
import { RESULT_TYPES } from './result-types.js';
import { Statement } from './sql-executor.js';

/** How long a batch may take. The first one may have to sort the whole table. */
export const BATCH_TIMEOUT_MS = 60_000;
/** How long all of it may take, however slowly it is read: as long a snapshot keeps dead rows. */
const CURSOR_TIMEOUT_MS = 600_000;
/** Rows at a time: as many as the largest page of a list has. */
const FETCH = 'fetch 100 from rows';

const BEGIN =
  'begin isolation level repeatable read read only; ' +
  `set local statement_timeout = ${BATCH_TIMEOUT_MS}; ` +
  `set local idle_in_transaction_session_timeout = ${BATCH_TIMEOUT_MS}`;

/** The rows of one statement, in batches from one snapshot, over a cursor of PostgreSQL. It holds a connection. */
export class RowCursor {
  private upcoming: object[] = [];
  private isOpen = true;
  private readonly timer = setTimeout(() => this.abort(), CURSOR_TIMEOUT_MS).unref();

  private constructor(
    private readonly client: PoolClient,
    private readonly onEnd: () => void,
  ) {}

  /** Opens a cursor, and reads the first rows. @param onEnd called once, when the connection is no longer held */
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

  /** The next rows. After the last ones the connection is the pool's again. */
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

  /** Ends it at once, by the end of its connection: what is being read, nobody waits for. */
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
    if (!this.isOpen) throw new Error('the cursor is closed: its client has gone, or it took too long');
    const statement = { text, values, types: RESULT_TYPES, query_timeout: BATCH_TIMEOUT_MS + 1_000 };
    return (await this.client.query<object>(statement as Statement)).rows;
  }
}
