import { fstatSync, write, writev } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { DestinationStream } from 'pino';

/** Characters a block, of whole lines: as much as a pipe takes at once, so that writers who share it do not mix. */
const BLOCK = 4_096;
/** Bytes that wait to be written before lines are dropped. */
const MAX_PENDING = 4 * 1024 * 1024;
/** How long a line waits for others to be written with. */
const FLUSH_EVERY_MS = 500;
/** How long nobody may read before the rest is given up at the end. */
const UNREAD_MS = 1_000;
/** A file takes a write as a whole, and each write wakes a thread: so many blocks go at once. */
const FILE_BLOCKS = 16;

type Sink = (blocks: readonly Buffer[], done: Done) => void;
type Done = (error?: Error | null) => void;

/**
 * Writes log lines to a file descriptor in blocks, without keeping anybody waiting: where a pipe is not read in time,
 * lines wait in bounded memory and are then dropped and counted, and a line says how many once there is room again.
 */
export class LogOutput implements DestinationStream {
  private readonly blocks: Buffer[] = [];
  /** Lines of the next one. A text of many more lines costs more: collecting garbage copies it, line by line. */
  private block = '';
  /** How many of the blocks do not wait until there are enough for a write. */
  private due = 0;
  /** Bytes of the blocks, and characters of the next one, that are not written yet. */
  private pending = 0;
  private dropped = 0;
  private isWriting = false;
  /** The last write failed: what is told of dropped lines would be lost like them. */
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
    // Past the bound nothing is taken before half of it is free: a line about what was dropped is worth some.
    if (this.pending + line.length > (this.dropped > 0 ? MAX_PENDING / 2 : MAX_PENDING)) {
      this.dropped++;
      return;
    }
    if (this.dropped > 0 && !this.isFailing) this.tellDropped();
    this.add(line);
  }

  /** Writes all that is pending; gives up where nobody reads, or the time is over. */
  async flush(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    let [left, leftAt] = [this.pending, performance.now()];
    this.writeAll();
    while (this.pending > 0 && performance.now() < deadline) {
      if (this.pending !== left) [left, leftAt] = [this.pending, performance.now()];
      else if (performance.now() - leftAt > UNREAD_MS) return;
      await sleep(5);
    }
  }

  private add(line: string): void {
    if (this.block.length + line.length > BLOCK) {
      this.endBlock();
      this.pump();
    }
    this.block += line;
    this.pending += line.length;
  }

  private tellDropped(): void {
    const told = {
      level: 40,
      time: new Date().toISOString(),
      dropped: this.dropped,
      msg: 'log lines dropped',
    };
    this.dropped = 0;
    this.add(`${JSON.stringify(told)}\n`);
  }

  private endBlock(): void {
    if (this.block === '') return;
    const bytes = Buffer.from(this.block);
    this.pending += bytes.length - this.block.length;
    // Lines with characters beyond ASCII are longer than they look: by themselves they mix with no others.
    if (bytes.length <= BLOCK) this.blocks.push(bytes);
    else this.blocks.push(...this.block.split(/(?<=\n)/).map((line) => Buffer.from(line)));
    this.block = '';
  }

  private writeAll(): void {
    this.endBlock();
    this.due = this.blocks.length;
    this.pump();
  }

  private pump(): void {
    if (this.isWriting || this.blocks.length < (this.due > 0 ? 1 : this.batch)) return;
    const blocks = this.blocks.splice(0, this.batch);
    this.due = Math.max(0, this.due - blocks.length);
    this.isWriting = true;
    this.sink(blocks, (error) => {
      this.isWriting = false;
      this.isFailing = Boolean(error);
      for (const block of blocks) {
        this.pending -= block.length;
        if (error) this.dropped += linesOf(block);
      }
      if (this.dropped > 0 && !error && this.pending < MAX_PENDING / 2) this.tellDropped();
      this.pump();
    });
  }
}

const linesOf = (block: Buffer): number => block.reduce((lines, byte) => lines + Number(byte === NEWLINE), 0);
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
  // Whoever reads is gone: each write tells so to its own caller.
  stream.on('error', () => undefined);
  return (blocks, done) => {
    stream.write(Buffer.concat(blocks), done);
  };
}

function toFile(fd: number): Sink {
  const writeRest = (rest: Buffer, done: Done): void => {
    write(fd, rest, (error, written) => {
      if (error || written === rest.length) done(error);
      else writeRest(rest.subarray(written), done);
    });
  };
  return (blocks, done) => {
    const length = blocks.reduce((sum, block) => sum + block.length, 0);
    writev(fd, blocks, (error, written) => {
      if (error || written === length) done(error);
      else writeRest(Buffer.concat(blocks).subarray(written), done);
    });
  };
}
