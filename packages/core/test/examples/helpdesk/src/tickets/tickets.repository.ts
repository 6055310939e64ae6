import { Injectable } from '@nestjs/common';
import { type AccessScope, ApiError, Caller, Database, ResourceRepository, SqlExecutor } from '@plinth/core';

import { DESK_ROLES } from '../config/access.js';
import { Ticket } from './ticket.entity.js';
import { ASSIGNEE_NOT_AGENT, TICKET_ARCHIVED } from './ticket.errors.js';
import { TICKETS } from './ticket.resource.js';
import { ReportRowDto } from './ticket-report.dto.js';

@Injectable()
export class TicketsRepository extends ResourceRepository<Ticket> {
  constructor(database: Database) {
    super(database, TICKETS);
  }

  /**
   * Locks a ticket to which the caller adds something, so that nobody archives it meanwhile.
   * @throws ApiError `TICKET_NOT_FOUND`, `TICKET_ARCHIVED`
   */
  async lockOpen(id: number, caller: Caller, tx: SqlExecutor): Promise<void> {
    const { isArchived } = await this.lock(id, caller.scopeOf(TICKETS), tx);
    if (isArchived) throw new ApiError(TICKET_ARCHIVED);
  }

  /** @throws ApiError `ASSIGNEE_NOT_AGENT` */
  async assertAgent(id: number, tx: SqlExecutor): Promise<void> {
    const text = 'select id from users where id = $1 and role = any($2) for share';
    const agents = await tx.query({ text, values: [id, DESK_ROLES] });
    if (agents.length === 0) throw new ApiError(ASSIGNEE_NOT_AGENT);
  }

  /** Returns the number of tickets with each status and assignee, and how long customers wait for the first answer. */
  report(scope: AccessScope): Promise<ReportRowDto[]> {
    const values: unknown[] = [];
    const text = `
      select status, assignee_id as "assigneeId", count(*) as tickets,
        percentile_cont(0.5) within group (order by extract(epoch from answer.at - tickets.created_at))
          as "medianSecondsToAnswer"
      from tickets left join lateral (
        select min(created_at) as at from comments where ticket_id = tickets.id and from_desk
      ) answer on true
      where ${this.scopeSql(scope, values)}
      group by status, assignee_id order by status, assignee_id nulls first`;
    return this.database.query({ text, values });
  }
}
