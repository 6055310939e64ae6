import { Injectable } from '@nestjs/common';
import {
  assertManagesUsers,
  SqlExecutor,
  permissionDenied,
  permissionsOf,
  assertPermission,
  Principal,
  ROLES,
} from '@plinth/core';
import {
  AccountLimits,
  AccountMails,
  AccountsService,
  Passwords,
  PasswordVerifier,
  type Registrant,
} from '@plinth/core/auth';

import { CreateUserDto } from './user.dto.js';
import { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** Registers and manages users. Methods throw `USER_NOT_FOUND`; writes also throw `PRECONDITION_FAILED`. */
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

  async create(body: CreateUserDto, by: Registrant, tx: SqlExecutor): Promise<User> {
    const { email, name, role = 'customer', companyId, password } = body;
    await this.countRegistration(by);
    // Hash before the first statement, because this statement acquires a connection, and hashing is slow.
    const passwordHash = await this.hashes.hash(password);
    await assertMayCreate(by.caller, tx, body);
    return this.register({ email, name, role, companyId, passwordHash }, tx, by);
  }
}

/**
 * Asserts that a caller may create a user. Only callers with `manage_users` may choose the role of the user. An API key
 * may choose only a role whose permissions the key itself has. Otherwise the holder of the key could log in as the new
 * user, with more permissions.
 * @throws ApiError `PERMISSION_DENIED`, or `INVALID_TOKEN` if the login of the caller has ended
 */
export async function assertMayCreate(
  caller: Principal | null,
  tx: SqlExecutor,
  { role }: { readonly role?: unknown },
): Promise<void> {
  if (role === undefined && !caller?.permissions.has('manage_users')) return;
  if (!caller) throw permissionDenied(caller, 'manage_users');
  const current = await assertManagesUsers(caller, tx);
  if (caller.kind !== 'api-key') return;
  assertPermission(current, 'create');
  const named = ROLES.find((known) => known === role);
  for (const permission of named ? permissionsOf(named) : []) assertPermission(current, permission);
}
