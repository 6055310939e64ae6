import { Choice, DateOnly, Flag, Id, ResourceEntity, Text, TextArray, Timestamp } from '@plinth/core';
import { Entity, ForeignKey, Index } from 'typeorm';

import { Company } from '../companies/company.entity.js';
import { User } from '../users/user.entity.js';
import { TICKET_STATUSES, type TicketStatus } from './ticket-status.js';

@Entity('tickets')
@Index('tickets_is_archived_created_at', ['isArchived', 'createdAt', 'id'])
@Index('tickets_is_archived_id', ['isArchived', 'id'])
export class Ticket extends ResourceEntity {
  @Id({ example: 1, description: 'The company that asks. By default, that of the caller.' })
  @ForeignKey(() => Company)
  companyId: number;

  @Text({ max: 200, example: 'The lamp flickers' })
  subject: string;

  @Text({ max: 10_000, example: 'It began on Monday, after the storm.' })
  description: string;

  @Choice({ of: TICKET_STATUSES, default: 'open', example: 'open' })
  status: TicketStatus;

  @Id({ nullable: true, default: null, example: 7, description: 'The agent who works on the ticket.' })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  assigneeId: number | null;

  @TextArray({ maxItems: 20, max: 40, unique: true, default: [], example: ['lamps'] })
  tags: string[];

  @DateOnly({ nullable: true, default: null, example: '2026-12-01' })
  dueOn: string | null;

  @Timestamp({ nullable: true, readOnly: true })
  solvedAt: string | null;

  @Flag({ readOnly: true, example: false, column: { default: false } })
  isArchived: boolean;
}
