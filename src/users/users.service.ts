import { Injectable } from '@nestjs/common';

import { denied, permit } from '../access/decision.js';
import { Role } from '../access/permissions.js';
import { Principal } from '../access/principal.js';
import { Connection } from '../database/connection.js';
import { bodyError } from '../fields/faults.js';
import { WriteConditions } from '../http/caching/preconditions.js';
import { ApiError } from '../http/errors/api-error.js';
import { ListQuery } from '../lists/list-query.js';
import { Page } from '../lists/list-representation.js';
import { CreateUserDto, PatchUserDto, ReplaceUserDto } from './dto/write-user.dto.js';
import { Passwords } from './passwords.js';
import { UserChanges } from './user-changes.service.js';
import { LAST_ADMIN } from './user.errors.js';
import { NewUser, UserRow, UsersRepository } from './users.repository.js';

/** Registration, administration and self-service. Throws `USER_NOT_FOUND` and, on writes, `PRECONDITION_FAILED`. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly changes: UserChanges,
  ) {}

  /** The user of an e-mail and password, or `null`: which of the two is wrong, neither answer nor time tells. */
  async findByPassword(email: string, password: string): Promise<UserRow | null> {
    const user = await this.users.findCredentials(email);
    return (await this.passwords.verify(password, user?.passwordHash)) ? user : null;
  }

  list(query: ListQuery): Promise<Page<UserRow>> {
    return this.users.list(query);
  }

  get(id: number): Promise<UserRow> {
    return this.users.get(id);
  }

  /**
   * What a registration is stored as: a viewer, unless somebody who manages users says otherwise.
   *
   * @throws ApiError `PERMISSION_DENIED` for a role from anybody else
   */
  async admit({ password, role, ...values }: CreateUserDto, caller: Principal | null): Promise<NewUser> {
    if (role !== undefined) mustManageUsers(caller);
    return { ...values, role: role ?? 'viewer', passwordHash: await this.passwords.hash(password) };
  }

  /** @throws ApiError `EMAIL_ALREADY_EXISTS` */
  create(user: NewUser, on: Connection): Promise<UserRow> {
    return this.users.add(user, on);
  }

  /** What is left out goes back to its default, as far as the caller may write it. The password stays. */
  replace(
    id: number,
    body: ReplaceUserDto,
    caller: Principal,
    conditions: WriteConditions,
  ): Promise<UserRow> {
    const role = body.role ?? (caller.permissions.has('manage_users') ? 'viewer' : undefined);
    return this.patch(id, role ? Object.assign(body, { role }) : body, caller, conditions);
  }

  /** @throws ApiError `PERMISSION_DENIED`, `LAST_ADMIN`, `EMAIL_ALREADY_EXISTS`; 400 or 422 for `currentPassword` */
  async patch(
    id: number,
    { password, currentPassword, ...values }: PatchUserDto,
    caller: Principal,
    conditions: WriteConditions,
  ): Promise<UserRow> {
    if (values.role !== undefined) mustManageUsers(caller);
    if (password !== undefined && caller.userId === id) await this.mustKnowPassword(id, currentPassword);
    if (password === undefined && values.role === undefined) return this.users.update(id, values, conditions);
    const proof = password === undefined ? {} : { passwordHash: await this.passwords.hash(password) };
    return this.changes.transaction(async (on, announce) => {
      const before = await this.hold(id, conditions, values.role ?? 'same', on);
      const after = await this.users.update(id, { ...values, ...proof }, conditions, on);
      const keepLoginId = caller.userId === id ? caller.loginId : null;
      if (after.role !== before.role) await announce({ userId: id, what: 'role' });
      else if (password !== undefined) await announce({ userId: id, what: 'password', keepLoginId });
      return after;
    });
  }

  /** @throws ApiError `LAST_ADMIN`, `USER_HAS_ORDERS` */
  remove(id: number, conditions: WriteConditions): Promise<void> {
    return this.changes.transaction(async (on, announce) => {
      await this.hold(id, conditions, 'none', on);
      await announce({ userId: id, what: 'deletion' });
      await this.users.remove(id, conditions, on);
    });
  }

  /** Locks a user who gets a role or loses it, if an administrator is left then. */
  private async hold(
    id: number,
    conditions: WriteConditions,
    roleAfter: Role | 'same' | 'none',
    on: Connection,
  ): Promise<UserRow> {
    const keepsRole = roleAfter === 'same' || roleAfter === 'admin';
    const admins = keepsRole ? [] : await this.users.lockAdmins(on);
    const user = await this.users.lock(id, on, conditions);
    if (admins.length === 1 && admins[0] === id) throw new ApiError(LAST_ADMIN);
    return user;
  }

  private async mustKnowPassword(id: number, password: string | undefined): Promise<void> {
    const field = 'currentPassword';
    if (password === undefined) {
      const message = 'is missing, and required to change one’s own password';
      throw bodyError([{ field, code: 'REQUIRED', message }]);
    }
    const isRight = await this.passwords.verify(password, await this.users.findPasswordHash(id));
    if (!isRight) throw bodyError([{ field, code: 'NOT_ALLOWED', message: 'is not the password of now' }]);
  }
}

function mustManageUsers(caller: Principal | null): void {
  if (!caller) throw denied(caller, 'manage_users');
  permit(caller, 'manage_users');
}
