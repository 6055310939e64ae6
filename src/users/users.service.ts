import { Injectable } from '@nestjs/common';

import { Access } from '../access/access.js';
import { assertManagesUsers, callerIsGone, withRole } from '../access/current-caller.js';
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

/** A user's role after a write; `none` after the deletion of the user. */
type RoleAfter = Role | 'same' | 'none';

/** A user to be written, and the caller with their current role; both are locked. */
interface Held {
  readonly before: UserRow;
  readonly current: Principal;
  /** Whether the write would leave no administrator. */
  readonly isLastAdmin: boolean;
}

/** Registration, administration and self-service. Throws `USER_NOT_FOUND` and, on writes, `PRECONDITION_FAILED`. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly changes: UserChanges,
  ) {}

  /** The user of an e-mail and password, or `null`; neither result nor duration tells which of the two is wrong. */
  async findByPassword(email: string, password: string): Promise<UserRow | null> {
    const user = await this.users.findCredentials(email);
    return (await this.passwords.verify(password, user?.passwordHash)) ? user : null;
  }

  list(query: ListQuery): Promise<Page<UserRow>> {
    return this.users.list(query);
  }

  /** The user of an id, or `null`. */
  find(id: number): Promise<UserRow | null> {
    return this.users.find(id);
  }

  get(id: number): Promise<UserRow> {
    return this.users.get(id);
  }

  /**
   * Prepares a registration: of a viewer, unless a caller who manages users names another role.
   *
   * @throws ApiError `PERMISSION_DENIED` for a role from anybody else
   */
  async prepare({ password, role, ...values }: CreateUserDto, caller: Principal | null): Promise<NewUser> {
    if (role !== undefined) mustManageUsers(caller);
    return { ...values, role: role ?? 'viewer', passwordHash: await this.passwords.hash(password) };
  }

  /**
   * Asserts that the caller may create the user, until the end of the transaction.
   *
   * @throws ApiError 401 or `PERMISSION_DENIED` for a role that the caller may no longer give
   */
  async admit({ role }: NewUser, caller: Principal | null, on: Connection): Promise<void> {
    if (role !== 'viewer' && caller) await assertManagesUsers(caller, on);
  }

  /** @throws ApiError as `admit` does; `EMAIL_ALREADY_EXISTS` */
  create(user: NewUser, caller: Principal | null, on: Connection): Promise<UserRow> {
    return on.transaction(async (transaction) => {
      await this.admit(user, caller, transaction);
      return this.users.add(user, transaction);
    });
  }

  /** What the body leaves out goes back to its default; role and password stay. */
  replace(id: number, body: ReplaceUserDto, access: Access, conditions: WriteConditions): Promise<UserRow> {
    return this.patch(id, body, access, conditions);
  }

  /** @throws ApiError `PERMISSION_DENIED`, `LAST_ADMIN`, `EMAIL_ALREADY_EXISTS`; 400 or 422 for `currentPassword` */
  async patch(
    id: number,
    { password, currentPassword, ...values }: PatchUserDto,
    access: Access,
    conditions: WriteConditions,
  ): Promise<UserRow> {
    const { principal: caller } = access;
    // Checked again in the transaction; here, so that no password is hashed for a caller who may not change it.
    if (password !== undefined && caller.userId !== id) mustManageUsers(caller);
    const isOwnPassword = password !== undefined && caller.userId === id;
    const verifiedHash = isOwnPassword ? await this.verifyCurrent(id, currentPassword) : undefined;
    const proof = password === undefined ? {} : { passwordHash: await this.passwords.hash(password) };
    return this.changes.transaction(async (on, announce) => {
      const { before, current, isLastAdmin } = await this.hold(id, access, values.role ?? 'same', on);
      assertMayWrite(current, before, { ...values, password });
      // A concurrent change has replaced the password since it was verified.
      if (isOwnPassword && (await this.users.findPasswordHash(id, on)) !== verifiedHash) throw notCurrent();
      if (isLastAdmin) await this.refuseLastAdmin(id, conditions, on);
      const after = await this.users.update(id, { ...values, ...proof }, conditions, on);
      const keepLoginId = caller.userId === id ? caller.loginId : null;
      if (after.role !== before.role) await announce({ userId: id, what: 'role' });
      else if (password !== undefined) await announce({ userId: id, what: 'password', keepLoginId });
      if (after.canonicalEmail !== before.canonicalEmail) await announce({ userId: id, what: 'email' });
      return after;
    });
  }

  /** @throws ApiError `PERMISSION_DENIED`, `LAST_ADMIN`, `USER_HAS_ORDERS` */
  remove(id: number, access: Access, conditions: WriteConditions): Promise<void> {
    return this.changes.transaction(async (on, announce) => {
      const { isLastAdmin } = await this.hold(id, access, 'none', on);
      if (isLastAdmin) await this.refuseLastAdmin(id, conditions, on);
      await announce({ userId: id, what: 'deletion' });
      await this.users.remove(id, conditions, on);
    });
  }

  /**
   * Locks the user of a write and its caller.
   *
   * @throws ApiError 401 where the caller has been deleted, `PERMISSION_DENIED` where they managed users, no longer do, and
   *   hold no grant on the user
   */
  private async hold(id: number, access: Access, roleAfter: RoleAfter, on: Connection): Promise<Held> {
    const { principal: caller } = access;
    const mayTakeAdmin = roleAfter !== 'same' && roleAfter !== 'admin';
    const locked = await this.users.lockForWrite(id, caller.userId, mayTakeAdmin, on);
    if (!locked.caller) throw callerIsGone(caller);
    const current = withRole(caller, locked.caller.role);
    const isDemoted = managesUsers(caller) && !managesUsers(current);
    if (isDemoted && caller.userId !== id) {
      const permission = roleAfter === 'none' ? 'delete' : 'update';
      access.as(current).authorize(permission, { id }, 'manage_users');
    }
    const before = locked.user ?? (await this.users.lock(id, on));
    const isLastAdmin = locked.adminIds.length === 1 && locked.adminIds[0] === id;
    return { before, current, isLastAdmin };
  }

  /** @throws ApiError `LAST_ADMIN`, or `PRECONDITION_FAILED`, which takes precedence */
  private async refuseLastAdmin(id: number, conditions: WriteConditions, on: Connection): Promise<never> {
    await this.users.lock(id, on, conditions);
    throw new ApiError(LAST_ADMIN);
  }

  /** @returns the hash that the current password was verified against */
  private async verifyCurrent(id: number, password: string | undefined): Promise<string | undefined> {
    if (password === undefined) {
      const message = 'is required to change your own password';
      throw bodyError([{ field: 'currentPassword', code: 'REQUIRED', message }]);
    }
    const hash = await this.users.findPasswordHash(id);
    // Without a hash the user has been deleted: the transaction answers that.
    if (hash !== undefined && !(await this.passwords.verify(password, hash))) throw notCurrent();
    return hash;
  }
}

const managesUsers = ({ permissions }: Principal): boolean => permissions.has('manage_users');

const notCurrent = (): ApiError =>
  bodyError([{ field: 'currentPassword', code: 'NOT_ALLOWED', message: 'is not your current password' }]);

function mustManageUsers(caller: Principal | null): void {
  if (!caller) throw denied(caller, 'manage_users');
  permit(caller, 'manage_users');
}

/**
 * Asserts that the caller may write these fields: role by `manage_users` only, e-mail and password by the user and by
 * `manage_users`. Grants cover none of them. Any caller may send the current role and e-mail.
 *
 * @throws ApiError `PERMISSION_DENIED`
 */
function assertMayWrite(
  caller: Principal,
  user: UserRow,
  { role, email, password }: Pick<PatchUserDto, 'role' | 'email' | 'password'>,
): void {
  if (managesUsers(caller)) return;
  const isChangingRole = role !== undefined && role !== user.role;
  const isChangingLogin = password !== undefined || (email !== undefined && email !== user.email);
  if (isChangingRole || (isChangingLogin && !actsAs(caller, user))) throw denied(caller, 'manage_users');
}

/** Whether a caller is the user, by more than a grant: an API key acts as its owner as far as its permissions go. */
const actsAs = ({ userId, kind, permissions }: Principal, user: UserRow): boolean =>
  userId === user.id && (kind !== 'api-key' || permissions.has('update'));
