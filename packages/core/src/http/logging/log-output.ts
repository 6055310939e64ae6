import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { DestinationStream, pino } from 'pino';

/** A pipe takes this much at once (`PIPE_BUF`), so lines of processes that share one do not mix. */
const BLOCK = 4_096;
/** Bytes that wait to be written before lines are dropped. */
const MAX_PENDING = 4 * 1024 * 1024;
/** How long a line waits for others to be written with. */
const FLUSH_EVERY_MS = 500;

/**
 * Writes log lines to standard output without blocking the process. Where nobody reads a pipe, or a file takes no more,
 * lines wait in bounded memory and are then dropped; a line says how many once there is room again.
 */
export class LogOutput implements DestinationStream {
  private readonly stream: ReturnType<typeof pino.destination>;
  private dropped = 0;
  private isEnded = false;
  private isExiting = false;

  constructor() {
    // Before pino's own listener, which would wait for a reader.
    process.once('exit', () => {
      this.isExiting = true;
      try {
        this.stream.flushSync();
      } catch {
        // Nobody reads it.
      }
      this.stream.destroy();
    });
    // Node.js makes the pipe of its stream non-blocking: a write to a full one then fails with EAGAIN and is tried
    // again. A blocked write would hold a thread, and with it the end of the process.
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
    // A full disk: what waits is written with the next line.
    this.stream.on('error', () => undefined);
  }

  write(line: string): void {
    // A request may end while the process does; the stream throws at what comes then.
    if (!this.isEnded) this.stream.write(line);
  }

  /** Writes all that is pending, unless nobody reads it or the time is over. Nothing is written after it. */
  async flush(withinMs: number): Promise<void> {
    this.isEnded = true;
    const closed = once(this.stream, 'close').catch(() => undefined);
    this.stream.end();
    await Promise.race([closed, sleep(withinMs)]);
  }
}
