import { Choice, Id, ResourceEntity, Text } from '@plinth/core';
import { Entity, ForeignKey, Index } from 'typeorm';

import { Company } from './companies.js';
import { User } from './user.entity.js';

export const STATUSES = ['open', 'waiting', 'closed'] as const;

@Entity('tickets')
export class Ticket extends ResourceEntity {
  @Id({ description: 'The company of the ticket. By default, that of the caller.', example: 1 })
  @ForeignKey(() => Company)
  companyId: number;

  @Text({ max: 200, example: 'The lamp flickers' })
  subject: string;

  @Choice({ of: STATUSES, default: 'open', example: 'open' })
  status: (typeof STATUSES)[number];

  @Id({ nullable: true, default: null, example: 7 })
  @ForeignKey(() => User)
  assigneeId: number | null;
}

/** A comment on a ticket. */
@Entity('comments')
@Index('comments_ticket_id_created_at', ['ticketId', 'createdAt', 'id'])
export class Comment extends ResourceEntity {
  @Id({ example: 1 })
  @ForeignKey(() => Ticket, { onDelete: 'CASCADE' })
  ticketId: number;

  @Text({ max: 5000, example: 'It works again.' })
  text: string;
}

/** A reaction to a comment. */
@Entity('reactions')
@Index('reactions_comment_id_created_at', ['commentId', 'createdAt', 'id'])
export class Reaction extends ResourceEntity {
  @Id({ example: 1 })
  @ForeignKey(() => Comment, { onDelete: 'CASCADE' })
  commentId: number;

  @Choice({ of: ['up', 'down'], example: 'up' })
  kind: 'up' | 'down';
}
