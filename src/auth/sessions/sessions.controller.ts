import { Delete, Get } from '@nestjs/common';

import { Caller, ofSelf } from '../../access/caller.decorator.js';
import { RequirePermission } from '../../access/require-permission.decorator.js';
import type { Principal } from '../../access/principal.js';
import { Cached, NO_STORE } from '../../http/caching/cache-policy.js';
import type { WriteConditions } from '../../http/caching/preconditions.js';
import { ListParameters } from '../../lists/list-parameters.decorator.js';
import type { ListQuery } from '../../lists/list-query.js';
import { pageOf } from '../../lists/list-representation.js';
import { Conditions } from '../../resources/conditions.decorator.js';
import { Answers, AnswersList, AnswersNothing } from '../../resources/openapi/answers.decorator.js';
import { Fails } from '../../resources/openapi/fails.decorator.js';
import { PathId } from '../../resources/path-id.decorator.js';
import { Representation } from '../../resources/representation.js';
import { Resource } from '../../resources/resource.decorator.js';
import { SessionDto } from './session.dto.js';
import { SESSION_NOT_FOUND } from './session.errors.js';
import { sessionList } from './session.lists.js';
import { toSession } from './session.mapper.js';
import { SessionsService } from './sessions.service.js';

@Resource({ path: 'sessions', version: ['1', '2'], of: SessionDto })
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @RequirePermission('read', { orOwner: true })
  @Cached(NO_STORE)
  @AnswersList(SessionDto, 'List your logins')
  async list(@ListParameters(sessionList, ofSelf('userId')) query: ListQuery, @Caller() caller: Principal) {
    return pageOf(toSession(caller))(await this.sessions.list(query));
  }

  @Get(':id')
  @RequirePermission('read', { orOwner: true })
  @Cached(NO_STORE)
  @Answers(200, SessionDto, 'Read one of your logins')
  @Fails(SESSION_NOT_FOUND)
  async get(@PathId() id: number, @Caller() caller: Principal) {
    const login = await this.sessions.get(id, caller);
    return new Representation(toSession(caller)(login), login);
  }

  @Delete(':id')
  @RequirePermission('delete', { orOwner: true })
  @AnswersNothing('End a login: its session and its refresh tokens')
  @Fails(SESSION_NOT_FOUND)
  async remove(@PathId() id: number, @Conditions() conditions: WriteConditions, @Caller() caller: Principal) {
    await this.sessions.remove(id, conditions, caller);
  }
}
