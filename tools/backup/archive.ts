import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** The first line of an archive. */
export interface ArchiveHeader {
  readonly format: 1;
  readonly product: string;
  readonly takenAt: string;
  /** The migrations that had run, in their order. */
  readonly migrations: readonly string[];
  /** The generated key of access tokens, where there is one. */
  readonly jwtSecret: string | null;
}

/** Rows of a table: each an array of its columns, as PostgreSQL writes values as text. */
export interface RowsLine {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Where a sequence stands. */
export interface SequenceLine {
  readonly sequence: string;
  readonly value: string;
}

/** The last line: an archive without it was not written to its end. */
export interface EndLine {
  readonly rows: number;
  readonly isComplete: true;
}

export type ArchiveLine = RowsLine | SequenceLine | EndLine;

/** Writes an archive: lines of JSON, compressed by gzip, in a file that only its owner reads. */
export class ArchiveWriter {
  private readonly gzip = createGzip();
  private readonly written: Promise<void>;

  /** @throws Error where there is such a file already */
  constructor(file: string, header: ArchiveHeader) {
    const output: Writable = this.gzip.pipe(createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    this.written = finished(output);
    output.on('error', (error) => this.gzip.destroy(error));
    // Told to whoever writes next: without listeners either would end the process, and leave half a file.
    this.gzip.on('error', () => undefined);
    this.written.catch(() => undefined);
    this.gzip.write(`${JSON.stringify(header)}\n`);
  }

  async write(line: ArchiveLine): Promise<void> {
    if (this.gzip.write(`${JSON.stringify(line)}\n`)) return;
    await Promise.race([new Promise((resolve) => this.gzip.once('drain', resolve)), this.written]);
  }

  async end(line: EndLine): Promise<void> {
    this.gzip.end(`${JSON.stringify(line)}\n`);
    await this.written;
  }
}

/**
 * Reads an archive, line by line.
 *
 * @throws Error where the file is no archive, or not all of one
 */
export async function readArchive(
  file: string,
  begin: (header: ArchiveHeader) => Promise<void>,
  each: (line: RowsLine | SequenceLine) => Promise<void>,
): Promise<EndLine> {
  const input = createReadStream(file);
  const text = input.pipe(createGunzip());
  input.on('error', (error) => text.destroy(error));
  let isBegun = false;
  for await (const json of createInterface({ input: text, crlfDelay: Infinity })) {
    const line = JSON.parse(json) as ArchiveLine | ArchiveHeader;
    if (!isBegun) {
      if (!('format' in line)) throw new Error(`${file} is no backup`);
      await begin(line);
      isBegun = true;
    } else if ('isComplete' in line) return line;
    else await each(line as RowsLine | SequenceLine);
  }
  throw new Error(`${file} is not complete: the backup was interrupted`);
}
