import { Controller, Get, Headers, Param, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ApiError, ApiErrorResponse, Caller, CurrentUser, RequirePermission } from '@plinth/core';
import type { FastifyReply } from 'fastify';

import { AttachmentKey } from './attachment.dto.js';
import { ATTACHMENT_NOT_FOUND, RANGE_NOT_SATISFIABLE } from './attachment.errors.js';
import { ATTACHMENTS } from './attachment.resource.js';
import { AttachmentsRepository } from './attachments.repository.js';
import { readRange } from './byte-range.js';
import { FileStore } from './file-store.js';
import { MEDIA_TYPES } from './media-types.js';

const CONTENT = { schema: { type: 'string', format: 'binary' } } as const;

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
  @ApiOperation({ summary: 'Download an attachment, or the part of it that Range names' })
  @ApiProduces(...MEDIA_TYPES)
  @ApiOkResponse({ ...CONTENT, description: 'The file.' })
  @ApiResponse({ ...CONTENT, status: 206, description: 'The part of the file that `Range` names.' })
  @ApiErrorResponse(ATTACHMENT_NOT_FOUND, RANGE_NOT_SATISFIABLE)
  async get(
    @Param() key: AttachmentKey,
    @Headers() headers: Readonly<Record<string, string | undefined>>,
    @CurrentUser() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const { file, mediaType, name, size } = await this.attachments.get(key, caller.scopeOf(ATTACHMENTS));
    const etag = `"attachment-${key.id}"`;
    void reply.headers({ etag, 'accept-ranges': 'bytes' });
    if (headers['if-none-match']?.includes(etag)) return void reply.code(304);
    const isCurrent = (headers['if-range'] ?? etag) === etag;
    const range = isCurrent ? readRange(headers.range, size) : undefined;
    if (range === null)
      throw new ApiError(RANGE_NOT_SATISFIABLE, undefined, {
        headers: { 'content-range': `bytes */${size}` },
      });
    if (range) void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
    return new StreamableFile(this.files.read(file, range), {
      type: mediaType,
      length: range ? range.end - range.start + 1 : size,
      disposition: `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    });
  }
}
