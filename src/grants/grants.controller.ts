import { Delete, Get, Post } from '@nestjs/common';

import { Caller } from '../access/caller.decorator.js';
import type { Principal } from '../access/principal.js';
import { RequirePermission } from '../access/require-permission.decorator.js';
import type { WriteConditions } from '../http/caching/preconditions.js';
import { ListParameters } from '../lists/list-parameters.decorator.js';
import type { ListQuery } from '../lists/list-query.js';
import { pageOf } from '../lists/list-representation.js';
import { Conditions } from '../resources/conditions.decorator.js';
import { Idempotent, type Once } from '../resources/idempotency/once.decorator.js';
import { Answers, AnswersList, AnswersNothing } from '../resources/openapi/answers.decorator.js';
import { Fails } from '../resources/openapi/fails.decorator.js';
import { PathId } from '../resources/path-id.decorator.js';
import { Payload } from '../resources/payload.decorator.js';
import { Resource } from '../resources/resource.decorator.js';
import { CreateGrantDto, GrantDto } from './grant.dto.js';
import { ACCESS_GRANT_NOT_FOUND } from './grant.errors.js';
import { grantList } from './grant.lists.js';
import { grantOf, toGrant } from './grant.mapper.js';
import { GrantsService } from './grants.service.js';

@Resource({ path: 'access-grants', version: ['1', '2'], of: GrantDto })
export class AccessGrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  @RequirePermission('manage_users')
  @AnswersList(GrantDto, 'List access grants')
  async list(@ListParameters(grantList) query: ListQuery) {
    return pageOf(toGrant)(await this.grants.list(query));
  }

  @Get(':id')
  @RequirePermission('manage_users')
  @Answers(200, GrantDto, 'Read an access grant')
  @Fails(ACCESS_GRANT_NOT_FOUND)
  async get(@PathId() id: number) {
    return grantOf(await this.grants.get(id));
  }

  @Post()
  @RequirePermission('manage_users')
  @Answers(201, GrantDto, 'Allow or deny a user or an API key something with one resource')
  create(
    @Payload(CreateGrantDto, GrantDto) body: CreateGrantDto,
    @Caller() caller: Principal,
    @Idempotent() once: Once,
  ) {
    return once(
      async (on) => grantOf(await this.grants.create(body, caller, on)),
      (on) => this.grants.admit(caller, on),
    );
  }

  @Delete(':id')
  @RequirePermission('manage_users')
  @AnswersNothing('Remove an access grant')
  @Fails(ACCESS_GRANT_NOT_FOUND)
  async remove(@PathId() id: number, @Caller() caller: Principal, @Conditions() conditions: WriteConditions) {
    await this.grants.remove(id, caller, conditions);
  }
}
