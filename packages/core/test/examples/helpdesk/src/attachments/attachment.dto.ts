import { PickOf } from '@plinth/core';

import { Attachment } from './attachment.entity.js';

export class AttachmentDto extends PickOf(Attachment, [
  'id',
  'ticketId',
  'name',
  'mediaType',
  'size',
  'createdAt',
  'updatedAt',
]) {}

/** The path parameters of a row. */
export class AttachmentKey extends PickOf(Attachment, ['ticketId', 'id']) {}
