import { Body, Delete, Get, Injectable, Module, Param, Patch, Post, Put } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  type AccessScope,
  ApiErrorResponse,
  Batch,
  type BatchResults,
  BodyOf,
  Cached,
  Caller,
  CurrentUser,
  Database,
  type Facets,
  FacetsQuery,
  ListQuery,
  Page,
  ParseIdPipe,
  PatchOf,
  PickOf,
  Preconditions,
  PUBLIC_CACHE,
  RequirePermission,
  Resource,
  ResourceRepository,
  ResourceService,
  Transaction,
} from '@plinth/core';

import { Comment, Ticket } from './ticket.entity.js';
import { commentList, COMMENTS, TICKET_NOT_FOUND, ticketList, TICKETS } from './ticket.resource.js';

export class TicketDto extends PickOf(Ticket, [
  'id',
  'companyId',
  'subject',
  'status',
  'assigneeId',
  'createdAt',
]) {}
export class TicketBodyDto extends BodyOf(TicketDto, ['companyId', 'subject', 'status', 'assigneeId'], {
  companyId: { optional: true },
}) {}
export class PatchTicketDto extends PatchOf(TicketBodyDto) {}

@Injectable()
export class TicketsRepository extends ResourceRepository<Ticket> {
  constructor(database: Database) {
    super(database, TICKETS);
  }

  /** Returns the number of tickets with each status that the caller may see. */
  countByStatus(scope: AccessScope): Promise<{ status: string; count: number }[]> {
    const values: unknown[] = [];
    const text = `
      select status, count(*) as count from tickets
      where ${this.scopeSql(scope, values)} group by status order by status`;
    return this.database.query({ text, values });
  }
}

@Injectable()
export class TicketsService extends ResourceService<Ticket> {
  constructor(tickets: TicketsRepository) {
    super(tickets);
  }
}

@Resource({ ...TICKETS, version: '1', responseDto: TicketDto })
@Cached(PUBLIC_CACHE)
export class TicketsController {
  constructor(private readonly tickets: TicketsService) {}

  @Get()
  @RequirePermission('read', { anonymous: true })
  list(@ListQuery(ticketList) query: ListQuery): Promise<Page<Ticket>> {
    return this.tickets.list(query);
  }

  @Get('facets')
  facets(@FacetsQuery(ticketList) query: ListQuery): Promise<Facets> {
    return this.tickets.facets(query);
  }

  @Get(':id')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Ticket> {
    return this.tickets.get(id, caller);
  }

  @Post()
  create(
    @Body() body: TicketBodyDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Ticket> {
    return this.tickets.create(body, tx, caller);
  }

  @Post('batch')
  batch(@Batch() batch: Batch): Promise<BatchResults> {
    return batch.run(this.tickets);
  }

  @Put(':id')
  replace(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: TicketBodyDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Ticket> {
    return this.tickets.replace(id, body, caller, preconditions);
  }

  @Patch(':id')
  patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchTicketDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Ticket> {
    return this.tickets.patch(id, body, caller, preconditions);
  }

  @Delete(':id')
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.tickets.remove(id, caller, preconditions);
  }
}

export class CommentDto extends PickOf(Comment, ['id', 'ticketId', 'text', 'createdAt']) {}
export class CommentBodyDto extends BodyOf(CommentDto, ['ticketId', 'text']) {}
export class PatchCommentDto extends PatchOf(CommentBodyDto) {}
export class TicketCommentBodyDto extends BodyOf(CommentDto, ['text']) {}

@Injectable()
export class CommentsRepository extends ResourceRepository<Comment> {
  constructor(database: Database) {
    super(database, COMMENTS);
  }
}

@Injectable()
export class CommentsService extends ResourceService<Comment> {
  constructor(comments: CommentsRepository) {
    super(comments);
  }

  listOfTicket(id: number, query: ListQuery): Promise<Page<Comment>> {
    return this.repository.listByParent(TICKETS, { id }, query);
  }
}

@Resource({ ...COMMENTS, version: '1', responseDto: CommentDto })
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get()
  list(@ListQuery(commentList) query: ListQuery): Promise<Page<Comment>> {
    return this.comments.list(query);
  }

  @Get(':id')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Comment> {
    return this.comments.get(id, caller);
  }

  @Post()
  create(
    @Body() body: CommentBodyDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Comment> {
    return this.comments.create(body, tx, caller);
  }

  @Patch(':id')
  patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchCommentDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Comment> {
    return this.comments.patch(id, body, caller, preconditions);
  }

  @Delete(':id')
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.comments.remove(id, caller, preconditions);
  }
}

@Resource({ ...COMMENTS, path: 'tickets/:ticketId/comments', version: '1', responseDto: CommentDto })
export class TicketCommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get()
  @ApiErrorResponse(TICKET_NOT_FOUND)
  list(
    @Param('ticketId', ParseIdPipe) ticketId: number,
    @ListQuery(commentList, { ticketId: 'ticketId' }) query: ListQuery,
  ): Promise<Page<Comment>> {
    return this.comments.listOfTicket(ticketId, query);
  }

  @Post()
  create(
    @Param('ticketId', ParseIdPipe) ticketId: number,
    @Body() body: TicketCommentBodyDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Comment> {
    return this.comments.create({ ...body, ticketId }, tx, caller);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Ticket, Comment])],
  controllers: [TicketsController, TicketCommentsController, CommentsController],
  providers: [TicketsRepository, TicketsService, CommentsRepository, CommentsService],
  exports: [TicketsRepository],
})
export class TicketsModule {}
