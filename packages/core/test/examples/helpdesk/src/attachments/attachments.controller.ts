import { Delete, Get, Param, ParseFilePipe, Post, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import {
  ApiErrorResponse,
  Caller,
  CurrentUser,
  ListQuery,
  Page,
  ParseIdPipe,
  Preconditions,
  RequirePermission,
  Resource,
  Transaction,
} from '@plinth/core';

import { TICKET_ARCHIVED } from '../tickets/ticket.errors.js';
import { TICKETS } from '../tickets/ticket.resource.js';
import { AttachmentDto, AttachmentKey } from './attachment.dto.js';
import { Attachment } from './attachment.entity.js';
import { MEDIA_TYPE_NOT_ALLOWED } from './attachment.errors.js';
import { attachmentList, ATTACHMENTS } from './attachment.resource.js';
import { AttachmentsService } from './attachments.service.js';
import { DiscardFileInterceptor } from './discard-file.interceptor.js';
import { type StoredFile } from './file-store.js';

@Resource({ ...ATTACHMENTS, path: 'tickets/:ticketId/attachments', version: '1', responseDto: AttachmentDto })
export class AttachmentsController {
  constructor(private readonly attachments: AttachmentsService) {}

  @Get()
  @RequirePermission('read')
  @ApiErrorResponse(TICKETS.notFound)
  list(
    @Param('ticketId', ParseIdPipe) ticketId: number,
    @ListQuery(attachmentList, { ticketId: 'ticketId' }) query: ListQuery,
  ): Promise<Page<Attachment>> {
    return this.attachments.listByParent(ticketId, query);
  }

  @Get(':id')
  @RequirePermission('read')
  get(@Param() key: AttachmentKey, @CurrentUser() caller: Caller): Promise<Attachment> {
    return this.attachments.get(key, caller);
  }

  @Post()
  @RequirePermission('create')
  @UseInterceptors(FileInterceptor('file'), DiscardFileInterceptor)
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } } })
  @ApiErrorResponse(TICKETS.notFound, TICKET_ARCHIVED, MEDIA_TYPE_NOT_ALLOWED)
  create(
    @Param('ticketId', ParseIdPipe) ticketId: number,
    @UploadedFile(new ParseFilePipe()) file: StoredFile,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Attachment> {
    return this.attachments.add(ticketId, file, caller, tx);
  }

  @Delete(':id')
  @RequirePermission('delete')
  remove(
    @Param() key: AttachmentKey,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.attachments.remove(key, caller, preconditions);
  }
}
