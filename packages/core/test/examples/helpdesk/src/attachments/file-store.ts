import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type {
  IncomingMultipartFile,
  MultipartStorageEngine,
  UploadedMultipartFile,
} from '@nestjs/platform-fastify';
import { type Config } from '@plinth/core';
import type { Range } from 'range-parser';

import { assertMediaType } from './media-types.js';

/** A file that the store has written. */
export interface StoredFile extends UploadedMultipartFile {
  readonly filename: string;
}

type Done = (error: Error | null, file?: Partial<StoredFile>) => void;

/**
 * Keeps files in the folder `attachments` of `DATA_DIR`. If the service runs on several machines, they must share the
 * folder, or this class must write to an object store.
 */
@Injectable()
export class FileStore implements MultipartStorageEngine {
  private readonly folder: string;

  constructor(config: ConfigService<Config, true>) {
    this.folder = join(config.get('dataDir', { infer: true }), 'attachments');
  }

  /** Called by `FileInterceptor` for the file of a form. */
  _handleFile(_request: unknown, file: IncomingMultipartFile, done: Done): void {
    this.write(file).then((stored) => done(null, stored), done);
  }

  /** Called by `FileInterceptor` for a file that is too large, or that came with a fault. */
  _removeFile(_request: unknown, { filename }: UploadedMultipartFile, done: Done): void {
    this.remove(filename ?? '').then(() => done(null), done);
  }

  read(filename: string, range?: Range): Readable {
    return createReadStream(join(this.folder, filename), range);
  }

  remove(filename: string): Promise<void> {
    return rm(join(this.folder, filename), { force: true });
  }

  /** Returns the names of the files that are older than a day. */
  async listOld(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    const times = await Promise.all(names.map((name) => stat(join(this.folder, name)).catch(() => null)));
    return names.filter((_, i) => Date.now() - (times[i]?.mtimeMs ?? Infinity) > 86_400_000);
  }

  private async write({ stream, mimetype }: IncomingMultipartFile): Promise<Partial<StoredFile>> {
    await mkdir(this.folder, { recursive: true });
    const filename = randomUUID();
    const file = createWriteStream(join(this.folder, filename));
    try {
      await pipeline(stream, (chunks: AsyncIterable<Buffer>) => assertMediaType(mimetype, chunks), file);
    } catch (error) {
      await this.remove(filename);
      throw error;
    }
    return { filename, size: file.bytesWritten };
  }
}
