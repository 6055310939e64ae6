import { Delete, Get } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';

import { Caller, ofSelf } from '../../access/caller.decorator.js';
import type { Principal } from '../../access/principal.js';
import { ListQuery } from '../../lists/list-parameters.decorator.js';
import { Preconditions } from '../../resources/preconditions.decorator.js';
import { PathKey } from '../../resources/path-id.decorator.js';
import { Resource } from '../../resources/resource.js';
import { Login } from './login.entity.js';
import { SessionDto } from './session.dto.js';
import { SESSIONS } from './session.resource.js';
import { SessionsService } from './sessions.service.js';

@Resource({ ...SESSIONS, version: ['1', '2'], of: SessionDto })
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @ApiOperation({ summary: 'List your logins' })
  list(@ListQuery(ofSelf('userId')) query: ListQuery, @Caller() caller: Principal) {
    return this.sessions.list(query, caller);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read one of your logins' })
  get(@PathKey(ofSelf('userId')) key: PathKey<Login>, @Caller() caller: Principal) {
    return this.sessions.get(key, caller);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'End a login: its session and its refresh tokens' })
  remove(
    @PathKey(ofSelf('userId')) key: PathKey<Login>,
    @Preconditions() preconditions: Preconditions,
    @Caller() caller: Principal,
  ) {
    return this.sessions.remove(key, preconditions, caller);
  }
}
