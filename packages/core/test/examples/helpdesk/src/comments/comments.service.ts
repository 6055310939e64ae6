import { Injectable } from '@nestjs/common';
import { Caller, ListQuery, Page, ResourceService, SqlExecutor } from '@plinth/core';

import { DESK_ROLES } from '../config/access.js';
import { TICKETS } from '../tickets/ticket.resource.js';
import { TicketsRepository } from '../tickets/tickets.repository.js';
import { Comment } from './comment.entity.js';
import { CommentsRepository } from './comments.repository.js';

@Injectable()
export class CommentsService extends ResourceService<Comment> {
  constructor(
    comments: CommentsRepository,
    private readonly tickets: TicketsRepository,
  ) {
    super(comments);
  }

  /** @throws ApiError 404 if the ticket does not exist */
  listByParent(ticketId: number, query: ListQuery): Promise<Page<Comment>> {
    return this.repository.listByParent(TICKETS, { id: ticketId }, query);
  }

  /** @throws ApiError `TICKET_NOT_FOUND`, `TICKET_ARCHIVED` */
  async add(ticketId: number, text: string, caller: Caller, tx: SqlExecutor): Promise<Comment> {
    await this.tickets.lockOpen(ticketId, caller, tx);
    const fromDesk = DESK_ROLES.includes(caller.principal.role);
    return this.create({ ticketId, authorId: caller.userId, fromDesk, text }, tx, caller);
  }
}
