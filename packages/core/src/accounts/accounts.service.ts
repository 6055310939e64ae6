import { Inject } from '@nestjs/common';

import { denied, INVALID_TOKEN, permit } from '../access/access.errors.js';
import { Caller } from '../access/caller.js';
import { Principal } from '../access/principal.js';
import { EVERYTHING } from '../access/visibility.js';
import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { bodyError } from '../fields/faults.js';
import { Preconditions } from '../http/caching/preconditions.js';
import { ApiError } from '../http/errors/api-error.js';
import { ResourceReads } from '../resources/resource.service.js';
import { AccountEntity } from './account.entity.js';
import { AccountMails } from './recovery.js';
import { LAST_ADMIN } from './account.errors.js';
import { AccountsRepository } from './accounts.repository.js';
import { ADMIN, withRole } from './current-role.js';
import { Passwords } from './passwords.js';

export type AccountChanges<Account extends AccountEntity = AccountEntity> = Partial<Account> & {
  readonly password?: string;
  readonly currentPassword?: string;
};

/** Verifies a password as a login does: failures are counted per account and address, and limited. */
export interface CountingVerifier {
  /** @throws ApiError `RATE_LIMIT_EXCEEDED` */
  verify(email: string, password: string, address: string): Promise<AccountEntity | null>;
}

/**
 * Administration and self-service of users: who may change whose role, e-mail and password, the last administrator,
 * and the end of logins with what they were made for. An application's service extends it.
 * @example
 * @Injectable()
 * export class UsersService extends AccountsService<User> { … }
 */
export class AccountsService<Account extends AccountEntity> extends ResourceReads<Account> {
  // A property, so that services that extend this one need not pass it on.
  @Inject(AccountMails)
  private readonly mails: AccountMails;

  constructor(
    private readonly accounts: AccountsRepository<Account>,
    private readonly passwords: Passwords,
    private readonly database: Database,
    private readonly verifier: CountingVerifier,
  ) {
    super(accounts);
  }

  /** Adds a user, and sends the link that confirms their e-mail. @throws ApiError `EMAIL_ALREADY_EXISTS` */
  protected async register(
    user: Partial<Account> & { readonly email: string },
    on: Connection,
  ): Promise<Account> {
    const added = await this.accounts.add(user, on);
    await this.mails.sendLink('emailVerification', added.email, on);
    return added;
  }

  /** Writes what the body holds. Role and password stay where it has none, by PUT too. */
  async update(
    id: number,
    { password, currentPassword, ...values }: AccountChanges<Account>,
    caller: Caller,
    preconditions: Preconditions,
  ): Promise<Account> {
    const { principal, visibility } = caller;
    // Checked again in the transaction; here, so that no password is hashed for a caller who may not change it.
    if (password !== undefined && caller.userId !== id) permit(principal, 'manage_users');
    const isOwnPassword = password !== undefined && caller.userId === id;
    const verifiedHash = isOwnPassword ? await this.verifyCurrent(caller, currentPassword) : undefined;
    const hashed = password === undefined ? {} : { passwordHash: await this.passwords.hash(password) };
    return this.database.transaction(async (on) => {
      const mayDemote = values.role !== undefined && values.role !== ADMIN;
      const { before, current, isLastAdmin } = await this.lockForWrite(id, caller, 'update', mayDemote, on);
      assertMayWrite(current, before, { ...values, password });
      // A concurrent change has replaced the password since it was verified.
      if (isOwnPassword && before.passwordHash !== verifiedHash) throw notCurrent();
      if (isLastAdmin) await this.refuseLastAdmin(id, caller, preconditions, on);
      const changes = { ...values, ...hashed } as Partial<Account>;
      const after = await this.accounts.update(id, changes, visibility, preconditions, on);
      const hasNewRole = after.role !== before.role;
      const keptLogin = isOwnPassword && !hasNewRole ? principal.loginId : null;
      if (hasNewRole || password !== undefined) await this.accounts.endLogins(id, keptLogin, on);
      if (password !== undefined) await this.mails.tell('passwordChanged', before, on);
      if (after.canonicalEmail !== before.canonicalEmail) {
        await this.mails.tell('emailChanged', before, on);
        await this.mails.sendLink('emailVerification', after.email, on);
      }
      return after;
    });
  }

  remove(id: number, caller: Caller, preconditions: Preconditions): Promise<void> {
    return this.database.transaction(async (on) => {
      const { isLastAdmin } = await this.lockForWrite(id, caller, 'delete', true, on);
      if (isLastAdmin) await this.refuseLastAdmin(id, caller, preconditions, on);
      await this.accounts.remove(id, caller.visibility, preconditions, on);
    });
  }

  /** Locks the user of a write and its caller, whose role of now decides. @param mayDemote locks all administrators */
  private async lockForWrite(
    id: number,
    caller: Caller,
    permission: 'update' | 'delete',
    mayDemote: boolean,
    on: Connection,
  ): Promise<{ before: Account; current: Principal; isLastAdmin: boolean }> {
    const { principal, userId, visibility } = caller;
    const locked = await this.accounts.lockAll([id, userId], mayDemote, on);
    const self = locked.find((user) => user.id === userId);
    if (!self) throw new ApiError(INVALID_TOKEN);
    const current = withRole(principal, self.role);
    if (userId !== id) caller.as(current).authorize(permission, { id }, 'manage_users');
    const before = locked.find((user) => user.id === id) ?? (await this.accounts.lock(id, visibility, on));
    const admins = locked.filter(({ role }) => role === ADMIN);
    return { before, current, isLastAdmin: mayDemote && admins.length === 1 && admins[0] === before };
  }

  /** @throws ApiError `LAST_ADMIN`, or `PRECONDITION_FAILED`, which takes precedence */
  private async refuseLastAdmin(
    id: number,
    { visibility }: Caller,
    preconditions: Preconditions,
    on: Connection,
  ): Promise<never> {
    await this.accounts.lock(id, visibility, on, preconditions);
    throw new ApiError(LAST_ADMIN);
  }

  /** @returns the hash that the current password was verified against */
  private async verifyCurrent(caller: Caller, password: string | undefined): Promise<string | undefined> {
    if (password === undefined) {
      const message = 'is required to change your own password';
      throw bodyError([{ field: 'currentPassword', code: 'REQUIRED', message }]);
    }
    const user = await this.accounts.find(caller.userId, EVERYTHING);
    // The user has been deleted: the transaction answers that.
    if (!user) return undefined;
    const verified = await this.verifier.verify(user.email, password, caller.address);
    if (verified?.id !== user.id) throw notCurrent();
    return verified.passwordHash;
  }
}

const notCurrent = (): ApiError =>
  bodyError([{ field: 'currentPassword', code: 'NOT_ALLOWED', message: 'is not your current password' }]);

/** Grants cover neither role nor e-mail nor password; what is there already may be sent by anyone. */
function assertMayWrite(
  caller: Principal,
  user: AccountEntity,
  { role, email, password }: Pick<AccountChanges, 'role' | 'email' | 'password'>,
): void {
  const { userId, kind, permissions } = caller;
  if (permissions.has('manage_users')) return;
  const isChangingRole = role !== undefined && role !== user.role;
  const isChangingLogin = password !== undefined || (email !== undefined && email !== user.email);
  // An API key acts as its owner as far as its permissions go.
  const isSelf = userId === user.id && (kind !== 'api-key' || permissions.has('update'));
  if (isChangingRole || (isChangingLogin && !isSelf)) throw denied(caller, 'manage_users');
}
