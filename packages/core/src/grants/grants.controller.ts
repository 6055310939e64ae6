import { Body, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';

import { MANAGE_USERS } from '../config/define-access.js';
import { Caller, CurrentUser } from '../access/caller.js';
import { assertManagesUsers } from '../accounts/current-role.js';
import { RequirePermission } from '../access/require-permission.decorator.js';
import { ParseIdPipe } from '../fields/parse-id.pipe.js';
import { ListQuery } from '../lists/list-parameters.decorator.js';
import { Page } from '../lists/page.js';
import { BeforeReplay } from '../resources/idempotency/idempotency.interceptor.js';
import { Resource } from '../resources/resource.decorator.js';
import { Preconditions, Transaction } from '../resources/write.decorators.js';
import { AccessGrant } from './grant.entity.js';
import { AccessGrantDto, CreateAccessGrantDto } from './grant.dto.js';
import { ACCESS_GRANTS, accessGrantList } from './grant.resource.js';
import { GrantsService } from './grants.service.js';

@Resource({ ...ACCESS_GRANTS, responseDto: AccessGrantDto })
@RequirePermission(MANAGE_USERS)
export class AccessGrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  list(@ListQuery(accessGrantList) query: ListQuery): Promise<Page<AccessGrant>> {
    return this.grants.list(query);
  }

  @Get(':id')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<AccessGrant> {
    return this.grants.get(id, caller);
  }

  @Post()
  @BeforeReplay(assertManagesUsers)
  @ApiOperation({
    summary: 'Allow or deny a user or an API key actions on one resource',
    description:
      'A grant is an exception to roles. An `allow` adds permissions for one resource and the resources that belong to it. ' +
      'A `deny` removes permissions for these resources, and overrides every `allow`. A grant takes effect within a second.',
  })
  create(
    @Body() body: CreateAccessGrantDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<AccessGrant> {
    return this.grants.create(body, caller, tx);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Remove an access grant' })
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.grants.remove(id, caller, preconditions);
  }
}
