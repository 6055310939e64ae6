import { Choice, Decimal, Id, Integer, ListOf } from '@plinth/core';

import { TICKET_STATUSES, type TicketStatus } from './ticket-status.js';

export class ReportRowDto {
  @Choice({ of: TICKET_STATUSES, example: 'open' })
  status: TicketStatus;

  @Id({ nullable: true, example: 7 })
  assigneeId: number | null;

  @Integer({ example: 12 })
  tickets: number;

  @Decimal({ nullable: true, example: 1800, description: '`null` if no ticket has an answer.' })
  medianSecondsToAnswer: number | null;
}

export class TicketReportDto {
  @ListOf(ReportRowDto, { min: 0, max: 10_000 })
  rows: ReportRowDto[];
}
