import { Delete, Get, Post } from '@nestjs/common';

import { Needs } from '#src/access/needs.decorator.js';
import { Conditions } from '#src/common/caching/conditions.decorator.js';
import type { WriteConditions } from '#src/common/caching/preconditions.js';
import { Resource } from '#src/common/http/resource.decorator.js';
import { ListParameters } from '#src/common/lists/list-parameters.decorator.js';
import type { ListQuery } from '#src/common/lists/list-query.js';
import { pageOf } from '#src/common/lists/list-representation.js';
import { Answers, AnswersList, AnswersNothing } from '#src/common/openapi/answers.decorator.js';
import { Fails } from '#src/common/openapi/fails.decorator.js';
import { PathId } from '#src/common/validation/id.decorator.js';
import { Payload } from '#src/common/validation/payload.decorator.js';
import { Idempotent, type Once } from '#src/database/idempotency/once.decorator.js';

import { CreateGrantDto, GrantDto } from './grant.dto.js';
import { ACCESS_GRANT_NOT_FOUND } from './grant.errors.js';
import { grantList } from './grant.lists.js';
import { grantOf, toGrant } from './grant.mapper.js';
import { GrantsService } from './grants.service.js';

@Resource({ path: 'access-grants', version: ['1', '2'], of: GrantDto })
export class AccessGrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  @Needs('manage_users')
  @AnswersList(GrantDto, 'List access grants')
  async list(@ListParameters(grantList) query: ListQuery) {
    return pageOf(toGrant)(await this.grants.list(query));
  }

  @Get(':id')
  @Needs('manage_users')
  @Answers(200, GrantDto, 'Read an access grant')
  @Fails(ACCESS_GRANT_NOT_FOUND)
  async get(@PathId() id: number) {
    return grantOf(await this.grants.get(id));
  }

  @Post()
  @Needs('manage_users')
  @Answers(201, GrantDto, 'Allow or deny a user or an API key something with one resource')
  create(@Payload(CreateGrantDto, GrantDto) body: CreateGrantDto, @Idempotent() once: Once) {
    return once(async (on) => grantOf(await this.grants.create(body, on)));
  }

  @Delete(':id')
  @Needs('manage_users')
  @AnswersNothing('Remove an access grant')
  @Fails(ACCESS_GRANT_NOT_FOUND)
  async remove(@PathId() id: number, @Conditions() conditions: WriteConditions) {
    await this.grants.remove(id, conditions);
  }
}
