import { Body, Delete, Get, Post } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';

import { Caller } from '../access/caller.decorator.js';
import type { Principal } from '../access/principal.js';
import { ListQuery } from '../lists/list-parameters.decorator.js';
import { Preconditions } from '../resources/preconditions.decorator.js';
import { PathId } from '../resources/path-id.decorator.js';
import { Resource } from '../resources/resource.js';
import { Transaction } from '../resources/transaction.decorator.js';
import { AccessGrantDto, CreateAccessGrantDto } from './grant.dto.js';
import { ACCESS_GRANTS } from './grant.resource.js';
import { GrantsService } from './grants.service.js';

@Resource({ ...ACCESS_GRANTS, version: ['1', '2'], of: AccessGrantDto })
export class AccessGrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  list(@ListQuery() query: ListQuery) {
    return this.grants.list(query);
  }

  @Get(':id')
  get(@PathId() id: number) {
    return this.grants.get(id);
  }

  @Post()
  @ApiOperation({ summary: 'Allow or deny a user or an API key something with one resource' })
  create(@Body() body: CreateAccessGrantDto, @Transaction() tx: Transaction) {
    return this.grants.create(body, tx);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Remove an access grant' })
  remove(@PathId() id: number, @Caller() caller: Principal, @Preconditions() preconditions: Preconditions) {
    return this.grants.remove(id, caller, preconditions);
  }
}
