import { Delete, Get, Param } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import {
  Caller,
  CurrentUser,
  ListQuery,
  Page,
  ParseIdPipe,
  Preconditions,
  RequirePermission,
  Resource,
} from '@plinth/core';
import { ListedLogin, ownRows, sessionList, LoginsService, SESSIONS } from '@plinth/core/auth';

import { SessionDto } from './session.dto.js';

/** Users see only their own logins, whatever their role. */
@Resource({ ...SESSIONS, version: ['1', '2'], responseDto: SessionDto })
export class SessionsController {
  constructor(private readonly logins: LoginsService) {}

  @Get()
  @RequirePermission('read', { ownerField: true })
  @ApiOperation({
    summary: 'List your logins',
    description:
      'Each login is one item, whether it issued tokens, a session or both. `current` marks the login of the request.',
  })
  list(
    @ListQuery(sessionList, { userId: ownRows() }) query: ListQuery,
    @CurrentUser() caller: Caller,
  ): Promise<Page<ListedLogin>> {
    return this.logins.list(query, caller);
  }

  @Get(':id')
  @RequirePermission('read', { ownerField: true })
  @ApiOperation({ summary: 'Read one of your logins' })
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<ListedLogin> {
    return this.logins.get(id, caller);
  }

  @Delete(':id')
  @RequirePermission('delete', { ownerField: true })
  @ApiOperation({
    summary: 'End a login, with its session and its refresh tokens',
    description:
      'Logs out the browser or the app of that login. Its access token works until it expires, but can no longer create or change credentials.',
  })
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.logins.remove(id, caller, preconditions);
  }
}
