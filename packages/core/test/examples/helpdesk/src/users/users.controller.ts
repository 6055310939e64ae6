import { Body, Delete, Get, Ip, Param, Patch, Post, Put } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import {
  ApiErrorResponse,
  BeforeReplay,
  Caller,
  CALLER,
  CurrentPrincipal,
  CurrentUser,
  GrantSources,
  grantsOn,
  ListQuery,
  Page,
  ParseIdPipe,
  Preconditions,
  type Principal,
  RequirePermission,
  Resource,
  Transaction,
} from '@plinth/core';
import { EMAIL_ALREADY_EXISTS, LAST_ADMIN } from '@plinth/core/auth';

import { CreateUserDto, PatchUserDto, ReplaceUserDto, UserDto } from './user.dto.js';
import { User } from './user.entity.js';
import { USER_NOT_FOUND } from './user.errors.js';
import { userList, USERS } from './user.resource.js';
import { assertMayCreate, UsersService } from './users.service.js';

@Resource({ ...USERS, version: '1', responseDto: UserDto })
@RequirePermission('manage_users', { selfParam: 'id' })
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @RequirePermission('manage_users')
  list(@ListQuery(userList) query: ListQuery): Promise<Page<User>> {
    return this.users.list(query);
  }

  @Get('me')
  @RequirePermission('read', { ownerField: true })
  @GrantSources(grantsOn('user', CALLER))
  @ApiOperation({
    summary: 'Read your own user',
    description:
      'Returns the user who is logged in. Works with all kinds of credentials. For an API key, returns its owner.',
    operationId: 'getCurrentUser',
  })
  @ApiErrorResponse(USER_NOT_FOUND)
  me(@CurrentUser() caller: Caller): Promise<User> {
    return this.users.get(caller.userId, caller);
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
    @CurrentPrincipal() caller: Principal | null,
    @Ip() address: string,
    @Transaction() tx: Transaction,
  ): Promise<User> {
    return this.users.create(body, { caller, address }, tx);
  }

  @Put(':id')
  @ApiErrorResponse(EMAIL_ALREADY_EXISTS, LAST_ADMIN)
  replace(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: ReplaceUserDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<User> {
    return this.users.update(id, body, caller, preconditions);
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
