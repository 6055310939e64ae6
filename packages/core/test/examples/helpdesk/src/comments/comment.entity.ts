import { Flag, Id, ResourceEntity, Text } from '@plinth/core';
import { Entity, ForeignKey, Index } from 'typeorm';

import { Ticket } from '../tickets/ticket.entity.js';
import { User } from '../users/user.entity.js';

@Entity('comments')
@Index('comments_ticket_id_created_at', ['ticketId', 'createdAt', 'id'])
export class Comment extends ResourceEntity {
  @Id({ readOnly: true })
  @ForeignKey(() => Ticket, { onDelete: 'CASCADE' })
  ticketId: number;

  @Id({ readOnly: true, nullable: true, description: '`null` if the user has been deleted.' })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  authorId: number | null;

  @Flag({ readOnly: true, example: true, description: 'Whether the desk wrote it.' })
  fromDesk: boolean;

  @Text({ max: 5000, example: 'Please try another bulb.' })
  text: string;
}
