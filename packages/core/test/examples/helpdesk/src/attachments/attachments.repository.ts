import { Injectable } from '@nestjs/common';
import { Database, ResourceRepository } from '@plinth/core';

import { Attachment } from './attachment.entity.js';
import { ATTACHMENTS } from './attachment.resource.js';

@Injectable()
export class AttachmentsRepository extends ResourceRepository<Attachment> {
  constructor(database: Database) {
    super(database, ATTACHMENTS);
  }

  /** Returns those of some files that no attachment names. */
  async findUnused(files: readonly string[]): Promise<string[]> {
    const text =
      'select file from unnest($1::varchar[]) as stored(file) where not exists (select from attachments a where a.file = stored.file)';
    const unused = await this.database.query<{ file: string }>({ text, values: [files] });
    return unused.map(({ file }) => file);
  }
}
