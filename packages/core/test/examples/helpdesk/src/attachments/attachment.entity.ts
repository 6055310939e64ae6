import { Choice, Id, Integer, ResourceEntity, Text } from '@plinth/core';
import { Entity, ForeignKey, Index } from 'typeorm';

import { Ticket } from '../tickets/ticket.entity.js';
import { MAX_FILE_BYTES, MEDIA_TYPES } from './media-types.js';

@Entity('attachments')
@Index('attachments_ticket_id_created_at', ['ticketId', 'createdAt', 'id'])
@Index('attachments_file_key', ['file'], { unique: true })
export class Attachment extends ResourceEntity {
  @Id({ readOnly: true })
  @ForeignKey(() => Ticket, { onDelete: 'CASCADE' })
  ticketId: number;

  @Text({ max: 255, readOnly: true, example: 'lamp.png' })
  name: string;

  @Choice({ of: MEDIA_TYPES, readOnly: true, example: 'image/png' })
  mediaType: string;

  @Integer({ max: MAX_FILE_BYTES, readOnly: true, example: 20_480 })
  size: number;

  /** The name of the file in the store. */
  @Text({ max: 36, readOnly: true })
  file: string;
}
