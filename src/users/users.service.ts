import { Injectable } from '@nestjs/common';

import {
  ApiError,
  assertManagesUsers,
  bodyError,
  Caller,
  Connection,
  Database,
  denied,
  EVERYTHING,
  INVALID_TOKEN,
  permit,
  Preconditions,
  Principal,
  ResourceReads,
  withRole,
} from '../core/index.js';
import { Passwords } from './passwords.js';
import { CreateUserDto, PatchUserDto, ReplaceUserDto } from './user.dto.js';
import { User } from './user.entity.js';
import { LAST_ADMIN } from './user.errors.js';
import { Credentials, UsersRepository } from './users.repository.js';

/** Registration, administration and self-service. Throws `USER_NOT_FOUND` and, on writes, `PRECONDITION_FAILED`. */
@Injectable()
export class UsersService extends ResourceReads<User> {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly database: Database,
  ) {
    super(users);
  }

  /** Whether there is such a user. Look-ups that come at the same time are one statement. */
  async exists(id: number): Promise<boolean> {
    return (await this.users.find(id, EVERYTHING)) !== null;
  }

  findCredentials(email: string): Promise<Credentials | undefined> {
    return this.users.findCredentials(email);
  }

  /** The user of an e-mail and password, or `null`; neither result nor duration tells which of the two is wrong. */
  async findByPassword(email: string, password: string): Promise<User | null> {
    const user = await this.users.findCredentials(email);
    return (await this.passwords.verify(password, user?.passwordHash)) ? (user ?? null) : null;
  }

  async create(body: CreateUserDto, caller: Principal | null, tx: Connection): Promise<User> {
    const { email, name, role = 'viewer', passwordHash } = body;
    await assertMayCreate(caller, tx, body);
    return this.users.add({ email, name, role, passwordHash }, tx);
  }

  /** Writes what the body holds. Role and password stay where it has none, by PUT too. */
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
    return this.database.transaction(async (on) => {
      const mayDemote = values.role !== undefined && values.role !== 'admin';
      const { before, current, isLastAdmin } = await this.lockForWrite(id, caller, 'update', mayDemote, on);
      assertMayWrite(current, before, { ...values, password });
      // A concurrent change has replaced the password since it was verified.
      if (isOwnPassword && before.passwordHash !== verifiedHash) throw notCurrent();
      if (isLastAdmin) await this.refuseLastAdmin(id, caller, preconditions, on);
      const after = await this.users.update(id, { ...values, ...hashed }, visibility, preconditions, on);
      const hasNewRole = after.role !== before.role;
      const keptLogin = isOwnPassword && !hasNewRole ? principal.loginId : null;
      if (hasNewRole || password !== undefined) await this.users.endLogins(id, keptLogin, on);
      return after;
    });
  }

  remove(id: number, caller: Caller, preconditions: Preconditions): Promise<void> {
    return this.database.transaction(async (on) => {
      const { isLastAdmin } = await this.lockForWrite(id, caller, 'delete', true, on);
      if (isLastAdmin) await this.refuseLastAdmin(id, caller, preconditions, on);
      await this.users.remove(id, caller.visibility, preconditions, on);
    });
  }

  /**
   * Locks the user of a write and its caller, who may write others only by the role that they have now, or a grant.
   * @param mayDemote the user may be no administrator afterwards: all administrators are locked
   */
  private async lockForWrite(
    id: number,
    caller: Caller,
    permission: 'update' | 'delete',
    mayDemote: boolean,
    on: Connection,
  ): Promise<{ before: User; current: Principal; isLastAdmin: boolean }> {
    const { principal, userId, visibility } = caller;
    const locked = await this.users.lockAll([id, userId], mayDemote, on);
    const self = locked.find((user) => user.id === userId);
    if (!self) throw new ApiError(INVALID_TOKEN);
    const current = withRole(principal, self.role);
    if (userId !== id) caller.as(current).authorize(permission, { id }, 'manage_users');
    const before = locked.find((user) => user.id === id) ?? (await this.users.lock(id, visibility, on));
    const admins = locked.filter(({ role }) => role === 'admin');
    return { before, current, isLastAdmin: mayDemote && admins.length === 1 && admins[0] === before };
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

/** Asserts that a caller may create a user: anybody a viewer; one of a named role only who manages users. */
export async function assertMayCreate(
  caller: Principal | null,
  tx: Connection,
  { role }: { readonly role?: unknown },
): Promise<void> {
  if (role === undefined) return;
  if (!caller) throw denied(caller, 'manage_users');
  permit(caller, 'manage_users');
  await assertManagesUsers(caller, tx);
}

/** Grants cover neither role nor e-mail nor password; what is there already may be sent by anyone. */
function assertMayWrite(
  caller: Principal,
  user: User,
  { role, email, password }: Pick<PatchUserDto, 'role' | 'email' | 'password'>,
): void {
  const { userId, kind, permissions } = caller;
  if (permissions.has('manage_users')) return;
  const isChangingRole = role !== undefined && role !== user.role;
  const isChangingLogin = password !== undefined || (email !== undefined && email !== user.email);
  // An API key acts as its owner as far as its permissions go.
  const isSelf = userId === user.id && (kind !== 'api-key' || permissions.has('update'));
  if (isChangingRole || (isChangingLogin && !isSelf)) throw denied(caller, 'manage_users');
}
