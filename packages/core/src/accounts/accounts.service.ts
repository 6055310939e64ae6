import { Inject } from '@nestjs/common';

import { denied, INVALID_TOKEN, permit, PERMISSION_DENIED } from '../access/access.errors.js';
import { Caller } from '../access/caller.js';
import { Principal } from '../access/principal.js';
import { EVERYTHING } from '../access/visibility.js';
import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { bodyError } from '../fields/faults.js';
import { canonicalEmail } from '../fields/email.js';
import { Preconditions } from '../http/caching/preconditions.js';
import { ApiError } from '../http/errors/api-error.js';
import { ResourceReads } from '../resources/resource.service.js';
import { AccountEntity } from './account.entity.js';
import { AccountLimits } from './account-limits.js';
import { AccountMails } from './recovery.js';
import { LAST_ADMIN } from './account.errors.js';
import { AccountsRepository } from './accounts.repository.js';
import { ADMIN, callerNow, withRole } from './current-role.js';
import { Passwords } from './passwords.js';

export type AccountChanges<Account extends AccountEntity = AccountEntity> = Partial<Account> & {
  readonly password?: string;
  readonly currentPassword?: string;
};

/** The fields that decide who can log in, and as what. */
type LoginChanges = Pick<AccountChanges, 'email' | 'password' | 'role'>;

/** The sender of a request that adds a user; `caller` is `null` without credentials. */
export interface Registrant {
  readonly caller: Principal | null;
  readonly address: string;
}

const isStranger = ({ caller }: Registrant): boolean => !caller?.permissions.has('manage_users');

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

  @Inject(AccountLimits)
  private readonly limits: AccountLimits;

  constructor(
    private readonly accounts: AccountsRepository<Account>,
    private readonly passwords: Passwords,
    private readonly database: Database,
    private readonly verifier: CountingVerifier,
  ) {
    super(accounts);
  }

  /**
   * Counts a registration, before its password is hashed. Callers with `manage_users` add as many users as they like.
   * @throws ApiError `RATE_LIMIT_EXCEEDED` where too many come from one address
   * @example await this.countRegistration(by); const passwordHash = await this.hashes.hash(password);
   */
  protected async countRegistration(by: Registrant): Promise<void> {
    if (isStranger(by)) await this.limits.countRegistration(by.address);
  }

  /**
   * Adds a user, and sends the link that confirms their e-mail, unless too many mails were caused from the address.
   * @throws ApiError `EMAIL_ALREADY_EXISTS`
   */
  protected async register(
    user: Partial<Account> & { readonly email: string },
    on: Connection,
    by?: Registrant,
  ): Promise<Account> {
    const added = await this.accounts.add(user, on);
    const isOver = by && isStranger(by) && !(await this.limits.mayCauseMails(by.address));
    if (!isOver) await this.mails.sendLink('emailVerification', added.email, on);
    return added;
  }

  /**
   * Writes the fields of the body. PUT keeps role and password if the body has none. `currentPassword` is required to
   * change one's own e-mail or password, and is verified whenever it is sent.
   */
  async update(
    id: number,
    { password, currentPassword, ...values }: AccountChanges<Account>,
    caller: Caller,
    preconditions: Preconditions,
  ): Promise<Account> {
    const { principal, visibility } = caller;
    const isSelf = caller.userId === id;
    // Checked again in the transaction; here, so that no password is hashed for a caller who may not change it.
    if (password !== undefined && !isSelf) permit(principal, 'manage_users');
    // A key that could prove a password could guess it.
    if (principal.kind === 'api-key' && (password ?? currentPassword) !== undefined)
      throw deniedToApiKeys('change or prove a password');
    if (password !== undefined && isSelf && currentPassword === undefined) throw currentPasswordRequired();
    const verified =
      currentPassword === undefined ? undefined : await this.verifyCurrent(caller, currentPassword);
    const hashed = password === undefined ? {} : { passwordHash: await this.passwords.hash(password) };
    return this.database.transaction(async (on) => {
      const sent = { ...values, password };
      const { before, self, current, isLastAdmin } = await this.lockForWrite(id, caller, sent, on);
      assertMayWrite(current, before, sent);
      const isUnproven = isSelf && currentPassword === undefined;
      if (isUnproven && changesLogin(before, sent)) throw currentPasswordRequired();
      // A concurrent change has replaced the password since it was verified.
      if (currentPassword !== undefined && self.passwordHash !== verified) throw notCurrent();
      if (isLastAdmin) await this.refuseLastAdmin(id, caller, preconditions, on);
      // Administrators change the e-mails of others as often as they like. Counted first, so that the response does not
      // tell beyond the limit whether somebody has the e-mail.
      const isNewEmail = values.email !== undefined && canonicalEmail(values.email) !== before.canonicalEmail;
      if (isSelf && isNewEmail) await this.limits.countEmailChange(id, caller.address);
      const changes = { ...values, ...hashed } as Partial<Account>;
      const after = await this.accounts.update(id, changes, visibility, preconditions, on);
      const hasNewRole = after.role !== before.role;
      const keptLogin = isSelf && !hasNewRole ? principal.loginId : null;
      if (hasNewRole || password !== undefined) await this.accounts.endLogins(id, keptLogin, on);
      if (password !== undefined) await this.mails.tell('passwordChanged', before, on);
      if (after.canonicalEmail !== before.canonicalEmail) {
        await this.mails.tell('emailChanged', before, on);
        await this.mails.sendLink('emailVerification', after.email, on);
      }
      return after;
    });
  }

  async remove(id: number, caller: Caller, preconditions: Preconditions): Promise<void> {
    if (isApiKeyOf(id, caller.principal)) throw deniedToApiKeys('delete its owner');
    await this.database.transaction(async (on) => {
      const { isLastAdmin } = await this.lockForWrite(id, caller, null, on);
      if (isLastAdmin) await this.refuseLastAdmin(id, caller, preconditions, on);
      await this.accounts.remove(id, caller.visibility, preconditions, on);
    });
  }

  /**
   * Locks the user of a write and its caller, whose current role decides.
   * @param changes the fields of an update; `null` for a deletion. A write that may take the role of an administrator
   * away locks all administrators.
   * @throws ApiError `INVALID_TOKEN` if credentials change and the login of the caller has ended
   */
  private async lockForWrite(
    id: number,
    caller: Caller,
    changes: LoginChanges | null,
    on: Connection,
  ): Promise<{ before: Account; self: Account; current: Principal; isLastAdmin: boolean }> {
    const { principal, userId, visibility } = caller;
    const mayDemote = !changes || (changes.role !== undefined && changes.role !== ADMIN);
    const locked = await this.accounts.lockAll([id, userId], mayDemote, on);
    const self = locked.find((user) => user.id === userId);
    if (!self) throw new ApiError(INVALID_TOKEN);
    const target = locked.find((user) => user.id === id);
    const isAboutCredentials = !changes || changesLogin(target, changes) || changesRole(target, changes);
    const current = isAboutCredentials
      ? await callerNow(principal, self, on)
      : withRole(principal, self.role);
    if (userId !== id) caller.as(current).authorize(changes ? 'update' : 'delete', { id }, 'manage_users');
    const before = target ?? (await this.accounts.lock(id, visibility, on));
    const admins = locked.filter(({ role }) => role === ADMIN);
    const isLastAdmin = mayDemote && admins.length === 1 && admins[0] === before;
    return { before, self, current, isLastAdmin };
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

  /** @returns the hash that the caller's current password was verified against */
  private async verifyCurrent(caller: Caller, password: string): Promise<string | undefined> {
    const user = await this.accounts.find(caller.userId, EVERYTHING);
    // The user has been deleted: the transaction answers that.
    if (!user) return undefined;
    const verified = await this.verifier.verify(user.email, password, caller.address);
    if (verified?.id !== user.id) throw notCurrent();
    return verified.passwordHash;
  }
}

const currentPasswordRequired = (): ApiError =>
  bodyError([
    {
      field: 'currentPassword',
      code: 'REQUIRED',
      message: 'is required to change your own e-mail or password',
    },
  ]);

const notCurrent = (): ApiError =>
  bodyError([{ field: 'currentPassword', code: 'NOT_ALLOWED', message: 'is not your current password' }]);

/** A key that could change a login would be worth the whole account, however few permissions it has. */
const deniedToApiKeys = (what: string): ApiError =>
  new ApiError(PERMISSION_DENIED, `An API key cannot ${what}: use a token, a session or Basic.`);

const isApiKeyOf = (userId: number, { kind, userId: ownerId }: Principal): boolean =>
  kind === 'api-key' && ownerId === userId;

/**
 * Asserts that the caller may change role, e-mail and password of a user as the body asks. Grants cover none of the
 * three, and API keys change none of them. A value that the user already has is not a change.
 * @throws ApiError `PERMISSION_DENIED`
 */
function assertMayWrite(caller: Principal, user: AccountEntity, changes: LoginChanges): void {
  const isManager = caller.permissions.has('manage_users');
  const isChangingLogin = changesLogin(user, changes);
  const isChangingRole = changesRole(user, changes);
  if (isChangingRole && !isManager) throw denied(caller, 'manage_users');
  if (isChangingLogin && !isManager && caller.userId !== user.id) throw denied(caller, 'manage_users');
  if (caller.kind === 'api-key' && (isChangingLogin || isChangingRole))
    throw deniedToApiKeys('change the e-mail, password or role of a user');
}

/** Whether a body changes how a user logs in. An e-mail that the user already has is not a change. */
const changesLogin = (user: AccountEntity | undefined, { email, password }: LoginChanges): boolean =>
  password !== undefined || (email !== undefined && email !== user?.email);

const changesRole = (user: AccountEntity | undefined, { role }: LoginChanges): boolean =>
  role !== undefined && role !== user?.role;
