import { Injectable } from '@nestjs/common';
import { assertManagesUsers, assertPermission, permissionsOf, Principal, SqlExecutor } from '@plinth/core';
import { AccountLimits, AccountMails, AccountsService, Passwords, PasswordVerifier } from '@plinth/core/auth';

import { CreateUserDto } from './user.dto.js';
import { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

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

  async create({ password, ...values }: CreateUserDto, caller: Principal, tx: SqlExecutor): Promise<User> {
    const passwordHash = await this.hashes.hash(password);
    await assertMayCreate(caller, tx, values);
    return this.register({ ...values, passwordHash }, tx, { caller, address: '' });
  }
}

/**
 * Asserts that a caller may create a user. An API key may choose only a role whose permissions the key itself has.
 * @throws ApiError `PERMISSION_DENIED`
 */
export async function assertMayCreate(caller: Principal, tx: SqlExecutor, body: object): Promise<void> {
  const current = await assertManagesUsers(caller, tx);
  const { role } = body as CreateUserDto;
  if (caller.kind === 'api-key')
    for (const permission of permissionsOf(role)) assertPermission(current, permission);
}
