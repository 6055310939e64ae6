import { Injectable } from '@nestjs/common';

import {
  ApiError,
  bodyError,
  Caller,
  callerIsGone,
  Connection,
  EVERYTHING,
  permit,
  Preconditions,
  Principal,
  ResourceReads,
  Role,
  withRole,
} from '../core/index.js';
import { Passwords } from './passwords.js';
import { UserChanges } from './user-changes.service.js';
import { assertMayCreate, assertMayWrite, managesUsers } from './user.access.js';
import { CreateUserDto, PatchUserDto, ReplaceUserDto } from './user.dto.js';
import { User } from './user.entity.js';
import { LAST_ADMIN } from './user.errors.js';
import { Credentials, UsersRepository } from './users.repository.js';

/** A user's role after a write; `none` after the deletion of the user. */
type RoleAfter = Role | 'same' | 'none';

/** A user to be written, and the caller with their current role; both are locked. */
interface LockedWrite {
  readonly before: User;
  readonly current: Principal;
  /** Whether the write would leave no administrator. */
  readonly isLastAdmin: boolean;
}

/** Registration, administration and self-service. Throws `USER_NOT_FOUND` and, on writes, `PRECONDITION_FAILED`. */
@Injectable()
export class UsersService extends ResourceReads<User> {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly changes: UserChanges,
  ) {
    super(users);
  }

  /** Whether there is such a user. Look-ups that come at the same time are one statement. */
  async exists(id: number): Promise<boolean> {
    return (await this.users.find(id, EVERYTHING)) !== null;
  }

  /** The user of an e-mail, however it is spelled, with the hash of the password. */
  findCredentials(email: string): Promise<Credentials | undefined> {
    return this.users.findCredentials(email);
  }

  /** The user of an e-mail and password, or `null`; neither result nor duration tells which of the two is wrong. */
  async findByPassword(email: string, password: string): Promise<User | null> {
    const user = await this.users.findCredentials(email);
    return (await this.passwords.verify(password, user?.passwordHash)) ? (user ?? null) : null;
  }

  /** @throws ApiError `PERMISSION_DENIED`, 401 where the caller has been deleted, `EMAIL_ALREADY_EXISTS` */
  async create(body: CreateUserDto, caller: Principal | null, tx: Connection): Promise<User> {
    const { email, name, role = 'viewer', passwordHash } = body;
    await assertMayCreate(caller, tx, body);
    return this.users.add({ email, name, role, passwordHash }, tx);
  }

  /**
   * Writes what the body holds. Role and password stay where it has none, by PUT too.
   *
   * @throws ApiError `PERMISSION_DENIED`, `LAST_ADMIN`, `EMAIL_ALREADY_EXISTS`; 400 or 422 for `currentPassword`
   */
  async update(
    id: number,
    { password, currentPassword, ...values }: ReplaceUserDto | PatchUserDto,
    caller: Caller,
    preconditions: Preconditions,
  ): Promise<User> {
    const { principal, visibility } = caller;
    // Checked again in the transaction; here, so that no password is hashed for a caller who may not change it.
    if (password !== undefined && caller.userId !== id) permit(principal, 'manage_users');
    const isOwnPassword = password !== undefined && caller.userId === id;
    const verifiedHash = isOwnPassword ? await this.verifyCurrent(id, currentPassword) : undefined;
    const hashed = password === undefined ? {} : { passwordHash: await this.passwords.hash(password) };
    return this.changes.transaction(async (on, announce) => {
      const { before, current, isLastAdmin } = await this.lockForWrite(id, caller, values.role ?? 'same', on);
      assertMayWrite(current, before, { ...values, password });
      // A concurrent change has replaced the password since it was verified.
      if (isOwnPassword && (await this.users.findPasswordHash(id, on)) !== verifiedHash) throw notCurrent();
      if (isLastAdmin) await this.refuseLastAdmin(id, caller, preconditions, on);
      const after = await this.users.update(id, { ...values, ...hashed }, visibility, preconditions, on);
      const keepLoginId = caller.userId === id ? principal.loginId : null;
      if (after.role !== before.role) await announce({ userId: id, what: 'role' });
      else if (password !== undefined) await announce({ userId: id, what: 'password', keepLoginId });
      return after;
    });
  }

  /** @throws ApiError `PERMISSION_DENIED`, `LAST_ADMIN`, `USER_HAS_ORDERS` */
  remove(id: number, caller: Caller, preconditions: Preconditions): Promise<void> {
    return this.changes.transaction(async (on, announce) => {
      const { isLastAdmin } = await this.lockForWrite(id, caller, 'none', on);
      if (isLastAdmin) await this.refuseLastAdmin(id, caller, preconditions, on);
      await announce({ userId: id, what: 'deletion' });
      await this.users.remove(id, caller.visibility, preconditions, on);
    });
  }

  /**
   * Locks the user of a write and its caller.
   *
   * @throws ApiError 401 where the caller has been deleted, `PERMISSION_DENIED` where they managed users, no longer do,
   *   and hold no grant on the user
   */
  private async lockForWrite(
    id: number,
    caller: Caller,
    roleAfter: RoleAfter,
    on: Connection,
  ): Promise<LockedWrite> {
    const { principal } = caller;
    const mayTakeAdmin = roleAfter !== 'same' && roleAfter !== 'admin';
    const locked = await this.users.lockForWrite(id, principal.userId, mayTakeAdmin, on);
    if (!locked.caller) throw callerIsGone(principal);
    const current = withRole(principal, locked.caller.role);
    const isDemoted = managesUsers(principal) && !managesUsers(current);
    if (isDemoted && caller.userId !== id) {
      const permission = roleAfter === 'none' ? 'delete' : 'update';
      caller.as(current).authorize(permission, { id }, 'manage_users');
    }
    const before = locked.user ?? (await this.users.lock(id, caller.visibility, on));
    const isLastAdmin = locked.adminIds.length === 1 && locked.adminIds[0] === id;
    return { before, current, isLastAdmin };
  }

  /** @throws ApiError `LAST_ADMIN`, or `PRECONDITION_FAILED`, which takes precedence */
  private async refuseLastAdmin(
    id: number,
    { visibility }: Caller,
    preconditions: Preconditions,
    on: Connection,
  ): Promise<never> {
    await this.users.lock(id, visibility, on, preconditions);
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

const notCurrent = (): ApiError =>
  bodyError([{ field: 'currentPassword', code: 'NOT_ALLOWED', message: 'is not your current password' }]);
