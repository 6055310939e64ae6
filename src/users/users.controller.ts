import { Body, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';

import type { Access } from '../access/access.js';
import { Caller, CallerAccess } from '../access/caller.decorator.js';
import { CALLER, GrantLinks, grantsOn } from '../access/grant-links.js';
import type { Principal } from '../access/principal.js';
import { Public, RequirePermission } from '../access/require-permission.decorator.js';
import { ListQuery } from '../lists/list-parameters.decorator.js';
import { Preconditions } from '../resources/preconditions.decorator.js';
import { Fails } from '../resources/openapi/fails.decorator.js';
import { PathId } from '../resources/path-id.decorator.js';
import { Resource } from '../resources/resource.js';
import { Transaction } from '../resources/transaction.decorator.js';
import { HashPassword } from './hash-password.pipe.js';
import { CreateUserDto, PatchUserDto, ReplaceUserDto, UserDto } from './user.dto.js';
import { EMAIL_ALREADY_EXISTS, LAST_ADMIN, USER_NOT_FOUND } from './user.errors.js';
import { USERS } from './user.resource.js';
import { UsersService } from './users.service.js';

@Resource({ ...USERS, version: ['1', '2'], of: UserDto })
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @RequirePermission('manage_users')
  list(@ListQuery() query: ListQuery) {
    return this.users.list(query);
  }

  @Get('me')
  @RequirePermission('read')
  @GrantLinks(grantsOn('user', CALLER))
  @ApiOperation({ summary: 'Read your own user', operationId: 'getCurrentUser' })
  @Fails(USER_NOT_FOUND)
  me(@Caller() caller: Principal) {
    return this.users.get(caller.userId ?? 0);
  }

  @Get(':id')
  get(@PathId() id: number) {
    return this.users.get(id);
  }

  @Post()
  @Public({ identifying: true })
  @ApiOperation({ summary: 'Register a user' })
  create(@Body(HashPassword) body: CreateUserDto, @Transaction() tx: Transaction) {
    return this.users.create(body, tx);
  }

  @Put(':id')
  @Fails(EMAIL_ALREADY_EXISTS, LAST_ADMIN)
  replace(
    @PathId() id: number,
    @Body() body: ReplaceUserDto,
    @CallerAccess() access: Access,
    @Preconditions() preconditions: Preconditions,
  ) {
    return this.users.update(id, body, access, preconditions);
  }

  @Patch(':id')
  @Fails(EMAIL_ALREADY_EXISTS, LAST_ADMIN)
  patch(
    @PathId() id: number,
    @Body() body: PatchUserDto,
    @CallerAccess() access: Access,
    @Preconditions() preconditions: Preconditions,
  ) {
    return this.users.update(id, body, access, preconditions);
  }

  @Delete(':id')
  @Fails(LAST_ADMIN)
  remove(
    @PathId() id: number,
    @CallerAccess() access: Access,
    @Preconditions() preconditions: Preconditions,
  ) {
    return this.users.remove(id, access, preconditions);
  }
}
