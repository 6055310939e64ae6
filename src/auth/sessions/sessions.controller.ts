import { Delete, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiSchema } from '@nestjs/swagger';

import {
  Caller,
  CurrentUser,
  Flag,
  ListQuery,
  Page,
  ParseIdPipe,
  PickOf,
  Preconditions,
  RequirePermission,
  Resource,
} from '../../core/index.js';
import { ofSelf } from '../../core/auth.js';
import { Login } from './login.entity.js';
import { sessionList, SESSIONS } from './logins.repository.js';
import { ListedLogin, SessionsService } from './sessions.service.js';

@ApiSchema({ name: 'Session', description: 'A login, with the session and the tokens that it issued.' })
export class SessionDto extends PickOf(Login, ['id', 'userAgent', 'address', 'createdAt', 'lastSeenAt']) {
  @Flag({ description: 'Whether this request was authenticated by this login.', example: false })
  current: boolean;
}

/** Users see their own logins only, whatever their role. */
@Resource({ ...SESSIONS, version: ['1', '2'], shows: SessionDto })
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @RequirePermission('read', { orOwner: true })
  @ApiOperation({ summary: 'List your logins' })
  list(
    @ListQuery(sessionList, { userId: ofSelf() }) query: ListQuery,
    @CurrentUser() caller: Caller,
  ): Promise<Page<ListedLogin>> {
    return this.sessions.list(query, caller);
  }

  @Get(':id')
  @RequirePermission('read', { orOwner: true })
  @ApiOperation({ summary: 'Read one of your logins' })
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<ListedLogin> {
    return this.sessions.get(id, caller);
  }

  @Delete(':id')
  @RequirePermission('delete', { orOwner: true })
  @ApiOperation({ summary: 'End a login: its session and its refresh tokens' })
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.sessions.remove(id, caller, preconditions);
  }
}
