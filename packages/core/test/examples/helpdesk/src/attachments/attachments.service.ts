import { Injectable } from '@nestjs/common';
import { Caller, ListQuery, Page, ResourceService, SqlExecutor } from '@plinth/core';

import { TICKETS } from '../tickets/ticket.resource.js';
import { TicketsRepository } from '../tickets/tickets.repository.js';
import { Attachment } from './attachment.entity.js';
import { AttachmentsRepository } from './attachments.repository.js';
import { FileStore, StoredFile } from './file-store.js';

@Injectable()
export class AttachmentsService extends ResourceService<Attachment> {
  constructor(
    private readonly attachments: AttachmentsRepository,
    private readonly tickets: TicketsRepository,
    private readonly files: FileStore,
  ) {
    super(attachments);
  }

  /** @throws ApiError 404 if the ticket does not exist */
  listByParent(ticketId: number, query: ListQuery): Promise<Page<Attachment>> {
    return this.attachments.listByParent(TICKETS, { id: ticketId }, query);
  }

  /** @throws ApiError `TICKET_NOT_FOUND`, `TICKET_ARCHIVED` */
  async add(ticketId: number, stored: StoredFile, caller: Caller, tx: SqlExecutor): Promise<Attachment> {
    await this.tickets.lockOpen(ticketId, caller, tx);
    const { originalname: name, mimetype: mediaType, filename: file, size } = stored;
    return this.create({ ticketId, name: name.slice(-255), mediaType, size, file }, tx, caller);
  }

  /** Removes old files that no attachment names: of attachments that were removed, and of interrupted uploads. */
  async removeUnusedFiles(): Promise<void> {
    for (const file of await this.attachments.findUnused(await this.files.listOld()))
      await this.files.remove(file);
  }
}
