import { Controller, Delete, HttpCode, Module, Param, Put } from '@nestjs/common';
import {
  ApiErrorResponse,
  Caller,
  CurrentUser,
  Database,
  GrantsService,
  ParseIdPipe,
  RequirePermission,
  type ResourceType,
  type SqlExecutor,
  UNPROCESSABLE_ENTITY,
} from '@plinth/core';

import { TICKET_NOT_FOUND, TICKETS } from './ticket.resource.js';
import { TicketsModule, TicketsRepository } from './tickets.module.js';

/** Lets everybody who may change a ticket share it with one user, who may then change and delete it, too. */
@Controller({ path: 'tickets/:ticketId/shares', version: '1' })
@RequirePermission('update')
export class TicketSharesController {
  constructor(
    private readonly tickets: TicketsRepository,
    private readonly grants: GrantsService,
    private readonly database: Database,
  ) {}

  @Put(':userId')
  @HttpCode(204)
  @ApiErrorResponse(TICKET_NOT_FOUND, UNPROCESSABLE_ENTITY)
  async share(
    @Param('ticketId', ParseIdPipe) ticketId: number,
    @Param('userId', ParseIdPipe) userId: number,
    @CurrentUser() caller: Caller,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const ticket = await this.findTicket(ticketId, caller, tx);
      await this.grants.share({ ...ticket, userId }, ['read', 'update', 'delete'], caller, tx);
    });
  }

  @Delete(':userId')
  @HttpCode(204)
  @ApiErrorResponse(TICKET_NOT_FOUND)
  async unshare(
    @Param('ticketId', ParseIdPipe) ticketId: number,
    @Param('userId', ParseIdPipe) userId: number,
    @CurrentUser() caller: Caller,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const ticket = await this.findTicket(ticketId, caller, tx);
      await this.grants.unshare({ ...ticket, userId }, tx);
    });
  }

  private async findTicket(id: number, caller: Caller, tx: SqlExecutor) {
    const { id: resourceId } = await this.tickets.get(id, caller.scopeOf(TICKETS, 'update'), tx);
    return { resourceType: 'ticket' as ResourceType, resourceId };
  }
}

@Module({ imports: [TicketsModule], controllers: [TicketSharesController] })
export class SharesModule {}
