import { Body, Delete, Get, Injectable, Module, Param, Patch, Post } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  BeforeReplay,
  Caller,
  CurrentPrincipal,
  CurrentUser,
  Database,
  Id,
  ListQuery,
  Page,
  ParseIdPipe,
  PickOf,
  Preconditions,
  type Principal,
  Public,
  RequirePermission,
  Resource,
  SqlExecutor,
  Transaction,
} from '@plinth/core';
import {
  AccountLimits,
  AccountMails,
  AccountsRepository,
  AccountsService,
  Passwords,
  PasswordVerifier,
} from '@plinth/core/auth';

import { CreateUserDto, PatchUserDto } from '../../../../../src/users/user.dto.js';
import { assertMayCreate } from '../../../../../src/users/users.service.js';
import { User, userList, USERS } from './user.entity.js';

export class CompanyUserDto extends PickOf(User, [
  'id',
  'companyId',
  'email',
  'name',
  'role',
  'createdAt',
  'updatedAt',
]) {}

export class CreateCompanyUserDto extends CreateUserDto {
  @Id({ optional: true, description: 'Only a caller with `manage_users` may send it.', example: 1 })
  companyId?: number;
}

/** @throws ApiError `PERMISSION_DENIED` for a role or a company, unless the caller has `manage_users` */
const assertMayCreateIn: typeof assertMayCreate = (caller, tx, body) => {
  const { role, companyId } = body as Partial<CreateCompanyUserDto>;
  return assertMayCreate(caller, tx, { role: role ?? companyId });
};

@Injectable()
export class UsersRepository extends AccountsRepository<User> {
  constructor(database: Database) {
    super(database, USERS);
  }
}

@Injectable()
export class UsersService extends AccountsService<User> {
  constructor(
    users: UsersRepository,
    private readonly hashes: Passwords,
    verifier: PasswordVerifier,
    mails: AccountMails,
    limits: AccountLimits,
  ) {
    super(users, hashes, verifier, mails, limits);
  }

  async create(body: CreateCompanyUserDto, caller: Principal | null, tx: SqlExecutor): Promise<User> {
    const { password, ...values } = body;
    const passwordHash = await this.hashes.hash(password);
    await assertMayCreateIn(caller, tx, values);
    return this.register({ role: 'viewer', ...values, passwordHash }, tx, { caller, address: '' });
  }
}

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
  @Public({ identifying: true, registration: true })
  @BeforeReplay(assertMayCreateIn)
  create(
    @Body() body: CreateCompanyUserDto,
    @CurrentPrincipal() caller: Principal | null,
    @Transaction() tx: Transaction,
  ): Promise<User> {
    return this.users.create(body, caller, tx);
  }

  @Patch(':id')
  patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchUserDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<User> {
    return this.users.update(id, body, caller, preconditions);
  }

  @Delete(':id')
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.users.remove(id, caller, preconditions);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([User])],
  controllers: [UsersController],
  providers: [UsersRepository, UsersService],
})
export class UsersModule {}
