import { fstatSync, write } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { DestinationStream } from 'pino';

/** The size of a block of whole lines. A pipe takes this much at once, so lines of writers who share it do not mix. */
const BLOCK = 4_096;
/** Bytes that wait to be written before lines are dropped. */
const MAX_PENDING = 4 * 1024 * 1024;
/** How long a line waits for others to be written with. */
const FLUSH_EVERY_MS = 500;
/** How often the end looks at what is pending. */
const LOOK_EVERY_MS = 5;
/**
 * After this many looks in which nobody has read anything, the end gives up the rest: a second, if nothing else runs.
 */
const UNREAD_LOOKS = 200;
/** The number of blocks that go to a file at once: it takes a write as a whole, and each write wakes a thread. */
const FILE_BLOCKS = 16;

/** Whole lines that are written at once. */
interface Block {
  readonly bytes: Buffer;
  /** How many lost lines the block reports, in a single line. */
  readonly told?: number;
}

type Sink = (bytes: Buffer, done: Done) => void;
/** Called when a write has ended. @param written how many bytes were written before an error */
type Done = (error?: Error | null, written?: number) => void;

/**
 * Writes log lines to a file descriptor in blocks, without keeping anybody waiting: where a pipe is not read in time,
 * lines wait in bounded memory and are then dropped and counted, and a line says how many once there is room again.
 */
export class LogOutput implements DestinationStream {
  private readonly blocks: Block[] = [];
  /** The text of the next block. A longer one costs more, since each collection of garbage copies it line by line. */
  private text = '';
  /** How many of the blocks are written even if there are too few for a write. */
  private due = 0;
  /** The size of what is not written yet: bytes of the blocks, and characters of the next one. */
  private pending = 0;
  /** Lines that were lost and not reported yet. */
  private dropped = 0;
  private isWriting = false;
  /**
   * Whether the last write failed. A report of lost lines would probably be lost, too; and a part of a line may be
   * there, of this process or of another that writes to the same file.
   */
  private isFailing = false;
  private readonly sink: Sink;
  /** How many blocks are written at once. */
  private readonly batch: number;

  constructor(fd = 1, stream: () => NodeJS.WritableStream = () => process.stdout) {
    const isPipe = isPipeOrSocket(fd);
    // The file system's calls would block a thread on a full pipe, and the end of the process with it.
    this.sink = isPipe ? toStream(stream()) : toFile(fd);
    this.batch = isPipe ? 1 : FILE_BLOCKS;
    setInterval(() => {
      this.writeAll();
    }, FLUSH_EVERY_MS).unref();
  }

  write(line: string): void {
    // Past the bound nothing is taken before half of it is free: so one report stands for many lost lines.
    if (this.pending + line.length > (this.dropped > 0 ? MAX_PENDING / 2 : MAX_PENDING)) {
      this.dropped++;
      return;
    }
    if (this.dropped > 0 && !this.isFailing) this.tellDropped();
    this.add(line);
  }

  /** Writes all that is pending. Gives up if nobody reads, or the time is over. */
  async flush(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    let [left, looks] = [this.pending, 0];
    this.writeAll();
    // Looks are counted, not time: a process that stood still in between has not waited for anybody.
    while (this.pending > 0 && looks < UNREAD_LOOKS && performance.now() < deadline) {
      await sleep(LOOK_EVERY_MS);
      looks = this.pending === left ? looks + 1 : 0;
      left = this.pending;
    }
  }

  private add(line: string): void {
    if (this.text.length + line.length > BLOCK) {
      this.endBlock();
      this.pump();
    }
    this.text += line;
    this.pending += line.length;
  }

  private tellDropped(): void {
    const { dropped } = this;
    const line = { level: 40, time: new Date().toISOString(), dropped, msg: 'log lines dropped' };
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    this.endBlock();
    this.blocks.push({ bytes, told: dropped });
    this.pending += bytes.length;
    this.dropped = 0;
  }

  private endBlock(): void {
    const { text } = this;
    if (text === '') return;
    this.text = '';
    const bytes = Buffer.from(text);
    this.pending += bytes.length - text.length;
    // Characters beyond ASCII take several bytes.
    if (bytes.length <= BLOCK) this.blocks.push({ bytes });
    else this.blocks.push(...split(bytes).map((part) => ({ bytes: part })));
  }

  private writeAll(): void {
    // Else it would take a line to find out whether there is room again, and none may come.
    if (this.dropped > 0 && this.pending === 0) this.tellDropped();
    this.endBlock();
    this.due = this.blocks.length;
    this.pump();
  }

  private pump(): void {
    if (this.isWriting || this.blocks.length < (this.due > 0 ? 1 : this.batch)) return;
    const blocks = this.blocks.splice(0, this.batch);
    this.due = Math.max(0, this.due - blocks.length);
    this.isWriting = true;
    const bytes = blocks.map((block) => block.bytes);
    if (this.isFailing) bytes.unshift(Buffer.from('\n'));
    const whole = bytes.length === 1 ? (bytes[0] as Buffer) : Buffer.concat(bytes);
    this.sink(whole, (error, written = 0) => {
      this.isWriting = false;
      this.isFailing = Boolean(error);
      for (const block of blocks) this.pending -= block.bytes.length;
      if (error) this.lose(blocks, whole, written);
      if (this.dropped > 0 && !error && this.pending < MAX_PENDING / 2) this.tellDropped();
      this.pump();
    });
  }

  /** Counts the lines that a failed write has lost. @param written how many bytes of the whole were written */
  private lose(blocks: readonly Block[], whole: Buffer, written: number): void {
    let end = whole.length - blocks.reduce((sum, { bytes }) => sum + bytes.length, 0);
    for (const { bytes, told } of blocks) {
      const there = bytes.subarray(0, Math.max(0, written - end));
      end += bytes.length;
      if (there.length < bytes.length) this.dropped += told ?? linesOf(bytes) - linesOf(there);
    }
  }
}

/** Splits whole lines into parts of at most the size of a block. A line that is longer is a part by itself. */
function split(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let [from, to] = [0, 0];
  while (to < bytes.length) {
    // A text without a newline at its end is a line too.
    const next = bytes.indexOf(NEWLINE, to) + 1 || bytes.length;
    if (next - from > BLOCK && to > from) {
      parts.push(bytes.subarray(from, to));
      from = to;
    }
    to = next;
  }
  parts.push(bytes.subarray(from));
  return parts;
}

const linesOf = (bytes: Buffer): number => {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
};
const NEWLINE = 0x0a;

function isPipeOrSocket(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

function toStream(stream: NodeJS.WritableStream): Sink {
  // The reader is gone: each write says so to its own caller.
  stream.on('error', () => undefined);
  return (bytes, done) => {
    stream.write(bytes, (error) => {
      done(error);
    });
  };
}

function toFile(fd: number): Sink {
  return (bytes, done) => {
    const writeFrom = (start: number): void => {
      write(fd, bytes, start, (error, count) => {
        const written = start + (error ? 0 : count);
        if (error || written === bytes.length) done(error, written);
        else writeFrom(written);
      });
    };
    writeFrom(0);
  };
}
