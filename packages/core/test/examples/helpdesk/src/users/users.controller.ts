import { Body, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  ApiErrorResponse,
  BeforeReplay,
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
import { EMAIL_ALREADY_EXISTS, LAST_ADMIN } from '@plinth/core/auth';

import { CreateUserDto, PatchUserDto, CompanyUserDto } from './user.dto.js';
import { User } from './user.entity.js';
import { userList, USERS } from './user.resource.js';
import { assertMayCreate, UsersService } from './users.service.js';

@Resource({ ...USERS, version: '1', responseDto: CompanyUserDto })
@RequirePermission('manage_users', { selfParam: 'id' })
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @RequirePermission('manage_users')
  list(@ListQuery(userList) query: ListQuery): Promise<Page<User>> {
    return this.users.list(query);
  }

  @Get(':id')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<User> {
    return this.users.get(id, caller);
  }

  @Post()
  @RequirePermission('manage_users')
  @BeforeReplay(assertMayCreate)
  create(
    @Body() body: CreateUserDto,
    @CurrentUser() { principal }: Caller,
    @Transaction() tx: Transaction,
  ): Promise<User> {
    return this.users.create(body, principal, tx);
  }

  @Patch(':id')
  @ApiErrorResponse(EMAIL_ALREADY_EXISTS, LAST_ADMIN)
  patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchUserDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<User> {
    return this.users.update(id, body, caller, preconditions);
  }

  @Delete(':id')
  @ApiErrorResponse(LAST_ADMIN)
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.users.remove(id, caller, preconditions);
  }
}
