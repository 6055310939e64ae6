import { fstatSync, write } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { DestinationStream } from 'pino';

/** Characters a block, of whole lines: as much as a pipe takes at once, so that writers who share it do not mix. */
const BLOCK = 4_096;
/** Characters that wait to be written before lines are dropped. */
const MAX_PENDING = 4 * 1024 * 1024;
/** How long a line waits for others to be written with. */
const FLUSH_EVERY_MS = 500;
/** How long nobody may read before the rest is given up at the end. */
const UNREAD_MS = 1_000;
/** A file has no other writer to mix with: fewer and larger blocks cost less. */
const FILE_BLOCK = 65_536;

type Done = (error?: Error | null) => void;

/**
 * Writes log lines to a file descriptor in blocks, without keeping anybody waiting: where a pipe is not read in time,
 * lines wait in bounded memory and are then dropped and counted, and a line says how many once there is room again.
 */
export class LogOutput implements DestinationStream {
  private readonly blocks: string[] = [];
  private block = '';
  /** Characters that are not written yet. */
  private pending = 0;
  private dropped = 0;
  private isWriting = false;
  private readonly sink: (text: string, done: Done) => void;
  private readonly blockSize: number;

  constructor(fd = 1, stream: () => NodeJS.WritableStream = () => process.stdout) {
    const isPipe = isPipeOrSocket(fd);
    // The file system's calls would block a thread on a full pipe, and the end of the process with it.
    this.sink = isPipe ? toStream(stream()) : toFile(fd);
    this.blockSize = isPipe ? BLOCK : FILE_BLOCK;
    setInterval(() => {
      this.endBlock();
    }, FLUSH_EVERY_MS).unref();
  }

  write(line: string): void {
    // Past the bound nothing is taken before half of it is free: a line about what was dropped is worth some.
    if (this.pending + line.length > (this.dropped > 0 ? MAX_PENDING / 2 : MAX_PENDING)) {
      this.dropped++;
      return;
    }
    if (this.dropped > 0) this.tellDropped();
    this.add(line);
  }

  /** Writes all that is pending; gives up where nobody reads, or the time is over. */
  async flush(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    let [left, leftAt] = [this.pending, performance.now()];
    this.endBlock();
    while (this.pending > 0 && performance.now() < deadline) {
      if (this.pending !== left) [left, leftAt] = [this.pending, performance.now()];
      else if (performance.now() - leftAt > UNREAD_MS) return;
      await sleep(5);
    }
  }

  private add(line: string): void {
    if (this.block.length + line.length > this.blockSize) this.endBlock();
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
    if (this.block !== '') this.blocks.push(this.block);
    this.block = '';
    this.pump();
  }

  private pump(): void {
    if (this.isWriting || this.blocks.length === 0) return;
    const text = this.blocks.shift() as string;
    this.isWriting = true;
    this.sink(text, (error) => {
      this.isWriting = false;
      this.pending -= text.length;
      if (error) this.dropped += text.split('\n').length - 1;
      if (this.dropped > 0 && !error && this.pending < MAX_PENDING / 2) this.tellDropped();
      this.pump();
    });
  }
}

function isPipeOrSocket(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

function toStream(stream: NodeJS.WritableStream): (text: string, done: Done) => void {
  // Whoever reads is gone: each write tells so to its own caller.
  stream.on('error', () => undefined);
  return (text, done) => {
    stream.write(text, done);
  };
}

function toFile(fd: number): (text: string, done: Done) => void {
  const writeRest = (bytes: Buffer, done: Done): void => {
    write(fd, bytes, (error, written) => {
      if (error || written === bytes.length) done(error);
      else writeRest(bytes.subarray(written), done);
    });
  };
  return (text, done) => {
    writeRest(Buffer.from(text), done);
  };
}
