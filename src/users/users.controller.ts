import { Delete, Get, Patch, Post, Put } from '@nestjs/common';

import { PERMISSION_DENIED } from '../access/access.errors.js';
import type { Access } from '../access/access.js';
import { Caller, CallerAccess } from '../access/caller.decorator.js';
import { CALLER, GrantLinks, grantsOn } from '../access/grant-links.js';
import { Public, RequirePermission } from '../access/require-permission.decorator.js';
import type { Principal } from '../access/principal.js';
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
import { UserDto } from './dto/user.dto.js';
import { CreateUserDto, PatchUserDto, ReplaceUserDto } from './dto/write-user.dto.js';
import { EMAIL_ALREADY_EXISTS, LAST_ADMIN, USER_HAS_ORDERS, USER_NOT_FOUND } from './user.errors.js';
import { userList } from './user.lists.js';
import { toUser, userOf } from './user.mapper.js';
import { UsersService } from './users.service.js';

@Resource({ path: 'users', version: ['1', '2'], of: UserDto, policy: { grants: [grantsOn('user')] } })
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @RequirePermission('manage_users')
  @AnswersList(UserDto, 'List users')
  async list(@ListParameters(userList) query: ListQuery) {
    return pageOf(toUser)(await this.users.list(query));
  }

  @Get('me')
  @RequirePermission('read')
  @GrantLinks(grantsOn('user', CALLER))
  @Answers(200, UserDto, 'Read your own user')
  @Fails(USER_NOT_FOUND)
  async me(@Caller() caller: Principal) {
    return userOf(await this.users.get(caller.userId ?? 0));
  }

  @Get(':id')
  @RequirePermission('manage_users', { orSelf: 'id' })
  @Answers(200, UserDto, 'Read a user')
  @Fails(USER_NOT_FOUND)
  async get(@PathId() id: number) {
    return userOf(await this.users.get(id));
  }

  @Post()
  @Public({ identifying: true })
  @Answers(201, UserDto, 'Register a user')
  @Fails(PERMISSION_DENIED, EMAIL_ALREADY_EXISTS)
  async create(
    @Payload(CreateUserDto, UserDto) body: CreateUserDto,
    @Caller() caller: Principal | null,
    @Idempotent() once: Once,
  ) {
    const user = await this.users.prepare(body, caller);
    return once(
      async (on) => userOf(await this.users.create(user, caller, on)),
      (on) => this.users.admit(user, caller, on),
    );
  }

  @Put(':id')
  @RequirePermission('manage_users', { orSelf: 'id' })
  @Answers(200, UserDto, 'Replace a user')
  @Fails(USER_NOT_FOUND, EMAIL_ALREADY_EXISTS, LAST_ADMIN)
  async replace(
    @PathId() id: number,
    @Payload(ReplaceUserDto, UserDto) body: ReplaceUserDto,
    @CallerAccess() access: Access,
    @Conditions() conditions: WriteConditions,
  ) {
    return userOf(await this.users.replace(id, body, access, conditions));
  }

  @Patch(':id')
  @RequirePermission('manage_users', { orSelf: 'id' })
  @Answers(200, UserDto, 'Change some fields of a user')
  @Fails(USER_NOT_FOUND, EMAIL_ALREADY_EXISTS, LAST_ADMIN)
  async patch(
    @PathId() id: number,
    @Payload(PatchUserDto, UserDto) body: PatchUserDto,
    @CallerAccess() access: Access,
    @Conditions() conditions: WriteConditions,
  ) {
    return userOf(await this.users.patch(id, body, access, conditions));
  }

  @Delete(':id')
  @RequirePermission('manage_users', { orSelf: 'id' })
  @AnswersNothing('Delete a user')
  @Fails(USER_NOT_FOUND, LAST_ADMIN, USER_HAS_ORDERS)
  async remove(
    @PathId() id: number,
    @CallerAccess() access: Access,
    @Conditions() conditions: WriteConditions,
  ) {
    await this.users.remove(id, access, conditions);
  }
}
