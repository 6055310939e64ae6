import { RowCursor } from './row-cursor.js';

/**
 * Returns the rows of a cursor one by one. The first `next()` opens the cursor, so a stream that nobody reads occupies
 * no connection. `return()` ends the cursor at once, even while the database is still searching for rows. An async
 * generator would first wait for these rows.
 */
export class RowStream<Row extends object> implements AsyncIterableIterator<Row> {
  private cursor: RowCursor | undefined;
  private batch: Row[] = [];
  private position = 0;
  private isReading = false;
  private isEnded = false;

  constructor(private readonly open: () => Promise<RowCursor>) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Row, undefined>> {
    if (this.position === this.batch.length && !this.isEnded) await this.readBatch();
    const row = this.batch[this.position++];
    return row ? { done: false, value: row } : { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Row, undefined>> {
    this.isEnded = true;
    this.batch = [];
    if (this.isReading) this.cursor?.abort();
    else await this.cursor?.close();
    return { done: true, value: undefined };
  }

  private async readBatch(): Promise<void> {
    // This array was the result of a promise, and V8 keeps the results of settled promises in memory for long. Empty
    // the array, so that its rows can be freed.
    this.batch.length = 0;
    this.position = 0;
    this.isReading = true;
    try {
      this.cursor ??= await this.open();
      // The reader left while the cursor was opened.
      if (this.isEnded) this.cursor.abort();
      else this.batch = (await this.cursor.next()) as Row[];
    } finally {
      this.isReading = false;
    }
  }
}
