import { Body, Get, Param, Post } from '@nestjs/common';
import {
  ApiErrorResponse,
  Caller,
  CurrentUser,
  ListQuery,
  Page,
  ParseIdPipe,
  RequirePermission,
  Resource,
  Transaction,
} from '@plinth/core';

import { TICKET_ARCHIVED } from '../tickets/ticket.errors.js';
import { TICKETS } from '../tickets/ticket.resource.js';
import { CommentBodyDto, CommentDto, CommentKey } from './comment.dto.js';
import { Comment } from './comment.entity.js';
import { commentList, COMMENTS } from './comment.resource.js';
import { CommentsService } from './comments.service.js';

@Resource({ ...COMMENTS, path: 'tickets/:ticketId/comments', version: '1', responseDto: CommentDto })
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get()
  @RequirePermission('read')
  @ApiErrorResponse(TICKETS.notFound)
  list(
    @Param('ticketId', ParseIdPipe) ticketId: number,
    @ListQuery(commentList, { ticketId: 'ticketId' }) query: ListQuery,
  ): Promise<Page<Comment>> {
    return this.comments.listByParent(ticketId, query);
  }

  @Get(':id')
  @RequirePermission('read')
  get(@Param() key: CommentKey, @CurrentUser() caller: Caller): Promise<Comment> {
    return this.comments.get(key, caller);
  }

  @Post()
  @RequirePermission('create')
  @ApiErrorResponse(TICKETS.notFound, TICKET_ARCHIVED)
  create(
    @Param('ticketId', ParseIdPipe) ticketId: number,
    @Body() { text }: CommentBodyDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Comment> {
    return this.comments.add(ticketId, text, caller, tx);
  }
}
