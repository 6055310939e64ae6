import { Injectable } from '@nestjs/common';
import {
  ApiError,
  Caller,
  Database,
  Preconditions,
  ResourceService,
  SqlExecutor,
  UNCONDITIONAL,
} from '@plinth/core';

import { allowedTransitions, TicketStatus } from './ticket-status.js';
import { Ticket } from './ticket.entity.js';
import { INVALID_STATUS_TRANSITION, TICKET_ARCHIVED, TICKET_NOT_SOLVED } from './ticket.errors.js';
import { TicketReportDto } from './ticket-report.dto.js';
import { TicketsRepository } from './tickets.repository.js';

@Injectable()
export class TicketsService extends ResourceService<Ticket> {
  constructor(
    private readonly tickets: TicketsRepository,
    private readonly database: Database,
  ) {
    super(tickets);
  }

  /** @throws ApiError `TICKET_ARCHIVED`, `INVALID_STATUS_TRANSITION`, `ASSIGNEE_NOT_AGENT` */
  override patch(
    id: number,
    changes: Partial<Ticket>,
    { scope }: Caller,
    preconditions: Preconditions,
    db: SqlExecutor = this.database,
  ): Promise<Ticket> {
    return db.transaction(async (tx) => {
      const { isArchived, status } = await this.tickets.lock(id, scope, tx, preconditions);
      if (isArchived) throw new ApiError(TICKET_ARCHIVED);
      if (changes.assigneeId != null) await this.tickets.assertAgent(changes.assigneeId, tx);
      const moved = solvedAtAfter(status, changes.status);
      return this.tickets.update(id, { ...changes, ...moved }, scope, UNCONDITIONAL, tx);
    });
  }

  /** @throws ApiError `TICKET_NOT_SOLVED` */
  async archive(id: number, { scope }: Caller, tx: SqlExecutor): Promise<Ticket> {
    const ticket = await this.tickets.lock(id, scope, tx);
    if (ticket.status !== 'solved') throw new ApiError(TICKET_NOT_SOLVED, `It is ${ticket.status}.`);
    return this.tickets.update(id, { isArchived: true }, scope, UNCONDITIONAL, tx);
  }

  async report({ scope }: Caller): Promise<TicketReportDto> {
    return { rows: await this.tickets.report(scope) };
  }
}

/** Returns when a ticket was solved, if it changes its status. @throws ApiError `INVALID_STATUS_TRANSITION` */
function solvedAtAfter(from: TicketStatus, to: TicketStatus = from): Pick<Ticket, 'solvedAt'> | undefined {
  if (to === from) return undefined;
  const allowed = allowedTransitions(from);
  if (!allowed.includes(to))
    throw new ApiError(
      INVALID_STATUS_TRANSITION,
      `The ticket is ${from}, and can change to ${allowed.join(' or ')} (got ${to}).`,
    );
  return { solvedAt: to === 'solved' ? new Date().toISOString() : null };
}
