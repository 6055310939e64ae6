import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { DestinationStream, pino } from 'pino';

/**
 * The maximum bytes of a write (`PIPE_BUF`). A pipe accepts such a write as a whole, so that the lines of several
 * processes do not mix.
 */
const BLOCK = 4_096;
/** Lines are dropped while more bytes than this wait to be written. */
const MAX_PENDING = 4 * 1024 * 1024;
/** How long a line may wait for others before it is written. */
const FLUSH_EVERY_MS = 500;

/**
 * Writes log lines to standard output without blocking the process. If nobody reads the pipe, or the disk is full,
 * lines wait in memory. Above `MAX_PENDING`, further lines are dropped. When all waiting lines have been written, a
 * line says how many were dropped.
 */
export class LogOutput implements DestinationStream {
  private readonly stream: ReturnType<typeof pino.destination>;
  private dropped = 0;
  private isEnded = false;
  private isExiting = false;

  constructor() {
    // Add this listener before pino's own, which would wait until somebody reads the pipe.
    process.once('exit', () => {
      this.isExiting = true;
      try {
        this.stream.flushSync();
      } catch {
        // Nobody reads the pipe.
      }
      this.stream.destroy();
    });
    // Read the property, because Node.js then makes the pipe non-blocking. A write to a full pipe fails with EAGAIN,
    // and pino retries it. A blocking write would hold a thread, and keep the process from ending.
    void process.stdout;
    this.stream = pino.destination({
      fd: 1,
      sync: false,
      minLength: BLOCK - 1,
      maxWrite: BLOCK,
      maxLength: MAX_PENDING,
      periodicFlush: FLUSH_EVERY_MS,
      retryEAGAIN: () => !this.isExiting,
    });
    this.stream.on('drop', () => {
      this.dropped++;
    });
    this.stream.on('drain', () => {
      if (this.dropped === 0) return;
      const line = { level: 40, time: new Date(), dropped: this.dropped, msg: 'log lines dropped' };
      this.dropped = 0;
      this.stream.write(`${JSON.stringify(line)}\n`);
    });
    // For example, the disk is full. Waiting lines are written with the next line.
    this.stream.on('error', () => undefined);
  }

  write(line: string): void {
    // A request may end after `flush()`. A write to the ended stream would throw.
    if (!this.isEnded) this.stream.write(line);
  }

  /** Writes all waiting lines, but takes at most `withinMs`. Later lines are ignored. */
  async flush(withinMs: number): Promise<void> {
    this.isEnded = true;
    const closed = once(this.stream, 'close').catch(() => undefined);
    this.stream.end();
    await Promise.race([closed, sleep(withinMs)]);
  }
}
