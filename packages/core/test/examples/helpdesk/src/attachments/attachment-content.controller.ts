import { Controller, Get, Headers, Param, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ApiError, ApiErrorResponse, Caller, CurrentUser, Produces, RequirePermission } from '@plinth/core';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply } from 'fastify';

import { AttachmentKey } from './attachment.dto.js';
import { ATTACHMENT_NOT_FOUND, RANGE_NOT_SATISFIABLE } from './attachment.errors.js';
import { ATTACHMENTS } from './attachment.resource.js';
import { AttachmentsRepository } from './attachments.repository.js';
import { readRange } from './byte-range.js';
import { FileStore } from './file-store.js';
import { MEDIA_TYPES } from './media-types.js';

const header = (description: string) => ({ description, schema: { type: 'string' } }) as const;
const FILE_HEADERS = {
  ETag: header('Identifies the file.'),
  'Accept-Ranges': header('`bytes`: requests can name a part of the file.'),
};
const PART_HEADERS = { 'Content-Range': header('The bytes that are sent, and the size of the file.') };

/** Sends the files of attachments. It is no `@Resource()`, because its response is not a row. */
@ApiTags('Attachments')
@Controller({ path: 'tickets/:ticketId/attachments/:id/content', version: '1' })
export class AttachmentContentController {
  constructor(
    private readonly attachments: AttachmentsRepository,
    private readonly files: FileStore,
  ) {}

  @Get()
  @RequirePermission('read')
  @Produces(...MEDIA_TYPES)
  @ApiOperation({ summary: 'Download an attachment, or the part of it that Range names' })
  @ApiOkResponse({ description: 'The file.', headers: FILE_HEADERS })
  @ApiResponse({
    status: 206,
    description: 'The part of the file that `Range` names.',
    headers: { ...FILE_HEADERS, ...PART_HEADERS },
  })
  @ApiResponse({ status: 304, description: 'Your copy is current.', headers: { ETag: FILE_HEADERS.ETag } })
  @ApiResponse({ status: 416, headers: PART_HEADERS })
  @ApiErrorResponse(ATTACHMENT_NOT_FOUND, RANGE_NOT_SATISFIABLE)
  async get(
    @Param() key: AttachmentKey,
    @Headers() headers: Readonly<Record<string, string | undefined>>,
    @CurrentUser() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const { file, mediaType, name, size } = await this.attachments.get(key, caller.scopeOf(ATTACHMENTS));
    const etag = `"attachment-${key.id}"`;
    void reply.header('etag', etag);
    if (headers['if-none-match']?.includes(etag)) return void reply.code(304);
    // A client that has parts of another file gets the whole file (RFC 9110 §13.1.5).
    const isCurrent = (headers['if-range'] ?? etag) === etag;
    const range = isCurrent ? readRange(headers.range, size) : undefined;
    if (range === null)
      throw new ApiError(RANGE_NOT_SATISFIABLE, undefined, {
        headers: { 'content-range': `bytes */${size}` },
      });
    void reply.header('accept-ranges', 'bytes');
    if (range) void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
    return new StreamableFile(this.files.read(file, range), {
      type: mediaType,
      length: range ? range.end - range.start + 1 : size,
      disposition: contentDisposition(name),
    });
  }
}
