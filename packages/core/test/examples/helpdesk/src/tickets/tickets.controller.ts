import { Body, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import {
  ApiErrorResponse,
  ApiObjectResponse,
  Caller,
  CurrentUser,
  ListQuery,
  Page,
  ParseIdPipe,
  Preconditions,
  RequirePermission,
  Resource,
  Transaction,
} from '@plinth/core';

import { PatchTicketDto, TicketBodyDto, TicketDto } from './ticket.dto.js';
import { Ticket } from './ticket.entity.js';
import {
  ASSIGNEE_NOT_AGENT,
  INVALID_STATUS_TRANSITION,
  TICKET_ARCHIVED,
  TICKET_NOT_SOLVED,
} from './ticket.errors.js';
import { TicketReportDto } from './ticket-report.dto.js';
import { CURRENT_TICKETS, ticketList, TICKETS } from './ticket.resource.js';
import { TicketsService } from './tickets.service.js';

@Resource({ ...TICKETS, version: '1', responseDto: TicketDto })
export class TicketsController {
  constructor(private readonly tickets: TicketsService) {}

  @Get()
  @RequirePermission('read')
  list(@ListQuery(ticketList, CURRENT_TICKETS) query: ListQuery): Promise<Page<Ticket>> {
    return this.tickets.list(query);
  }

  @Get('report')
  @RequirePermission('read')
  @ApiObjectResponse(
    TicketReportDto,
    'Count tickets by status and assignee',
    'The numbers. Customers see those of their own company.',
  )
  report(@CurrentUser() caller: Caller): Promise<TicketReportDto> {
    return this.tickets.report(caller);
  }

  @Get(':id')
  @RequirePermission('read')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Ticket> {
    return this.tickets.get(id, caller);
  }

  @Post()
  @RequirePermission('create')
  create(
    @Body() body: TicketBodyDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Ticket> {
    return this.tickets.create(body, tx, caller);
  }

  @Patch(':id')
  @RequirePermission('update')
  @ApiErrorResponse(ASSIGNEE_NOT_AGENT, INVALID_STATUS_TRANSITION, TICKET_ARCHIVED)
  patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchTicketDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Ticket> {
    return this.tickets.patch(id, body, caller, preconditions);
  }

  @Post(':id/archive')
  @HttpCode(200)
  @RequirePermission('update')
  @ApiOperation({ summary: 'Archive a solved ticket', operationId: 'archiveTicket' })
  @ApiErrorResponse(TICKET_NOT_SOLVED)
  archive(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Ticket> {
    return this.tickets.archive(id, caller, tx);
  }
}
