import { BodyOf, PatchOf, PickOf } from '@plinth/core';

import { Ticket } from './ticket.entity.js';

export class TicketDto extends PickOf(Ticket, [
  'id',
  'companyId',
  'subject',
  'description',
  'status',
  'assigneeId',
  'tags',
  'dueOn',
  'solvedAt',
  'isArchived',
  'createdAt',
  'updatedAt',
]) {}

export class TicketBodyDto extends BodyOf(TicketDto, ['companyId', 'subject', 'description', 'tags'], {
  companyId: { optional: true },
}) {}

export class PatchTicketDto extends PatchOf(
  BodyOf(TicketDto, ['subject', 'description', 'status', 'assigneeId', 'tags', 'dueOn']),
) {}
