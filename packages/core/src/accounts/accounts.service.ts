import { INVALID_TOKEN, assertPermission } from '../access/access.errors.js';
import { Caller } from '../access/caller.js';
import { Principal } from '../access/principal.js';
import { EVERYTHING } from '../access/access-scope.js';
import { MANAGE_USERS, administratorRole } from '../config/define-access.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { bodyError } from '../fields/faults.js';
import { canonicalEmail } from '../fields/email.js';
import { WritePreconditions } from '../http/caching/preconditions.js';
import { ApiError } from '../http/errors/api-error.js';
import { ResourceReads } from '../resources/resource.service.js';
import { AccountEntity } from './account.entity.js';
import { AccountLimits } from './account-limits.js';
import { AccountMails } from './account-mails.js';
import { LAST_ADMIN } from './account.errors.js';
import { AccountsRepository } from './accounts.repository.js';
import { refreshPrincipal, withoutManageUsers, withRole } from './current-role.js';
import { Passwords } from './passwords.js';
import {
  AccountChanges,
  deniedForApiKeys,
  assertMayChangeLogin,
  assertMayRemove,
  changesLogin,
  isApiKeyOf,
  LoginChanges,
  changesRole,
} from './login-changes.js';

/**
 * The sender of a request that adds a user. Registrations are limited per IP address, unless the caller has
 * `manage_users`.
 * @example create(@Body() body: CreateUserDto, @CurrentPrincipal() caller: Principal | null, @Ip() address: string) { … }
 */
export interface Registrant {
  /** The caller, or `null` for a request without credentials. */
  readonly caller: Principal | null;
  /** The IP address that the request came from. */
  readonly address: string;
}

const isSelfRegistration = ({ caller }: Registrant): boolean => !caller?.permissions.has(MANAGE_USERS);

/**
 * Verifies a password as a login does: it counts failed attempts per account and per IP address, and rejects attempts
 * beyond the limit.
 */
export interface RateLimitedVerifier {
  /** @throws ApiError `RATE_LIMIT_EXCEEDED` */
  verify(email: string, password: string, address: string): Promise<AccountEntity | null>;
}

/**
 * Updates and deletes users by the rules that keep accounts safe. Extend it in the service of your users.
 *
 * - Only callers with `manage_users` may change a role, or the e-mail or password of another user. API keys may not
 *   change any role, e-mail or password.
 * - To change their own e-mail or password, users must send their current password.
 * - The last administrator can neither be deleted nor get another role.
 * - A new role ends all logins of the user. A new password ends them too, except the login with which the user
 *   changes their own password.
 * - A mail notifies the user of a changed e-mail or password.
 * @example
 * @Injectable()
 * export class UsersService extends AccountsService<User> { … }
 */
export class AccountsService<Account extends AccountEntity> extends ResourceReads<Account> {
  constructor(
    private readonly accounts: AccountsRepository<Account>,
    private readonly passwords: Passwords,
    private readonly verifier: RateLimitedVerifier,
    private readonly mails: AccountMails,
    private readonly limits: AccountLimits,
  ) {
    super(accounts);
  }

  /**
   * Counts a registration. Call it before the password is hashed, because hashing is expensive. Registrations by
   * callers with `manage_users` are not counted.
   * @throws ApiError `RATE_LIMIT_EXCEEDED` if too many registrations come from one address
   * @example await this.countRegistration(by); const passwordHash = await this.hashes.hash(password);
   */
  protected async countRegistration(by: Registrant): Promise<void> {
    if (isSelfRegistration(by)) await this.limits.countRegistration(by.address);
  }

  /**
   * Adds a user, and sends them the link that confirms the e-mail. If requests from the same IP address have caused too
   * many mails, it adds the user without sending the link.
   * @throws ApiError `EMAIL_ALREADY_EXISTS`
   */
  protected async register(
    user: Partial<Account> & { readonly email: string },
    tx: SqlExecutor,
    by?: Registrant,
  ): Promise<Account> {
    const added = await this.accounts.add(user, tx, by?.caller);
    const isOver = by && isSelfRegistration(by) && !(await this.limits.mayCauseMails(by.address));
    if (!isOver) await this.mails.sendLink('emailVerification', added.email, tx);
    return added;
  }

  /**
   * Updates a user with the fields of the body of a PUT or PATCH. If a PUT omits the role or the password, the stored
   * value remains. Users must send `currentPassword` to change their own e-mail or password. If `currentPassword` is
   * sent, it is verified even if nothing else needs it.
   * @throws ApiError `PERMISSION_DENIED`, `LAST_ADMIN`, `EMAIL_ALREADY_EXISTS`, `PRECONDITION_FAILED`, `INVALID_TOKEN`,
   * `RATE_LIMIT_EXCEEDED`, or 400 or 422 for `currentPassword`
   */
  async update(
    id: number,
    { password, currentPassword, ...values }: AccountChanges<Account>,
    caller: Caller,
    preconditions: WritePreconditions,
  ): Promise<Account> {
    const { principal, scope } = caller;
    const isSelf = caller.userId === id;
    // The transaction checks this again. Check it here too, so that no password is hashed for a caller who may not
    // change the password.
    if (password !== undefined && !isSelf) assertPermission(principal, MANAGE_USERS);
    // Reject `currentPassword` too. Otherwise, somebody with a stolen API key could guess the password of its owner.
    if (principal.kind === 'api-key' && (password ?? currentPassword) !== undefined)
      throw deniedForApiKeys('change or verify a password');
    if (password !== undefined && isSelf && currentPassword === undefined) throw currentPasswordRequired();
    const verified =
      currentPassword === undefined ? undefined : await this.verifyCurrentPassword(caller, currentPassword);
    const hashed = password === undefined ? {} : { passwordHash: await this.passwords.hash(password) };
    return this.accounts.transaction(async (tx) => {
      const sent = { ...values, password };
      const { before, self, current, isLastAdmin } = await this.lockForWrite(id, caller, sent, tx);
      assertMayChangeLogin(current, before, sent);
      const isUnproven = isSelf && currentPassword === undefined;
      if (isUnproven && changesLogin(before, sent)) throw currentPasswordRequired();
      // The hash differs if a concurrent request has changed the password since `currentPassword` was verified.
      if (currentPassword !== undefined && self.passwordHash !== verified) throw wrongCurrentPassword();
      if (isLastAdmin) await this.rejectLastAdmin(id, caller, preconditions, tx);
      // Changes of one's own e-mail are limited. Count the change before the update. Otherwise a request beyond the
      // limit would still reveal whether another user has the e-mail.
      const isNewEmail = values.email !== undefined && canonicalEmail(values.email) !== before.canonicalEmail;
      if (isSelf && isNewEmail) await this.limits.countEmailChange(id, caller.address);
      const changes = { ...values, ...hashed } as Partial<Account>;
      const after = await this.accounts.update(id, changes, scope, preconditions, tx);
      const hasNewRole = after.role !== before.role;
      const keptLogin = isSelf && !hasNewRole ? principal.loginId : null;
      if (hasNewRole || password !== undefined) await this.accounts.endLogins(id, keptLogin, tx);
      if (password !== undefined) await this.mails.notify('passwordChanged', before, tx);
      if (after.canonicalEmail !== before.canonicalEmail) {
        await this.mails.notify('emailChanged', before, tx);
        await this.mails.sendLink('emailVerification', after.email, tx);
      }
      return after;
    });
  }

  /**
   * Deletes a user. If `rows` limit the caller, the caller cannot delete another user whose role sees all rows.
   * @throws ApiError `PERMISSION_DENIED`, `LAST_ADMIN`, `PRECONDITION_FAILED` or `INVALID_TOKEN`
   */
  async remove(id: number, caller: Caller, preconditions: WritePreconditions): Promise<void> {
    if (isApiKeyOf(id, caller.principal)) throw deniedForApiKeys('delete its owner');
    await this.accounts.transaction(async (tx) => {
      const { before, current, isLastAdmin } = await this.lockForWrite(id, caller, null, tx);
      assertMayRemove(current, before);
      if (isLastAdmin) await this.rejectLastAdmin(id, caller, preconditions, tx);
      await this.accounts.remove(id, caller.scope, preconditions, tx);
    });
  }

  /**
   * Locks the user who is written and the user of the caller, and checks the current role of the caller. If the write
   * could reduce the number of administrators, it locks all administrators too.
   * @param changes the fields of an update, or `null` for a deletion
   * @throws ApiError `INVALID_TOKEN` if the user of the caller was deleted, or if credentials change and the login of
   * the caller has ended
   * @returns `before` is the user who is written, `self` is the user of the caller, and `current` is the caller with
   * their current role, but without `manage_users` if only a grant opens the user for them. `isLastAdmin` is whether
   * `before` is the only administrator and the write could change that
   */
  private async lockForWrite(
    id: number,
    caller: Caller,
    changes: LoginChanges | null,
    tx: SqlExecutor,
  ): Promise<{ before: Account; self: Account; current: Principal; isLastAdmin: boolean }> {
    const { principal, userId, scope } = caller;
    const mayDemote = !changes || (changes.role !== undefined && changes.role !== administratorRole());
    // A user who does not concern the caller is handled like one who does not exist. The row is not locked: the caller would
    // notice if another request holds its lock.
    const isKnown = scope.limit === null || (await this.accounts.find(id, scope, tx)) !== null;
    const locked = await this.accounts.lockAll(isKnown ? [id, userId] : [userId], mayDemote, tx);
    const self = locked.find((user) => user.id === userId);
    if (!self) throw new ApiError(INVALID_TOKEN);
    const target = isKnown ? locked.find((user) => user.id === id) : undefined;
    const isAboutCredentials = !changes || changesLogin(target, changes) || changesRole(target, changes);
    const refreshed = isAboutCredentials
      ? await refreshPrincipal(principal, self, tx)
      : withRole(principal, self.role);
    const isOnlyGranted = target && userId !== id && !(await this.accounts.concernsCaller(id, scope, tx));
    const current = isOnlyGranted ? withoutManageUsers(refreshed) : refreshed;
    if (userId !== id)
      caller.withPrincipal(current).authorize(changes ? 'update' : 'delete', { id }, MANAGE_USERS);
    const before = target ?? (await this.accounts.lock(id, scope, tx));
    const admins = locked.filter(({ role }) => role === administratorRole());
    const isLastAdmin = mayDemote && admins.length === 1 && admins[0] === before;
    return { before, self, current, isLastAdmin };
  }

  /** @throws ApiError `PRECONDITION_FAILED` if a precondition fails, otherwise `LAST_ADMIN` */
  private async rejectLastAdmin(
    id: number,
    { scope }: Caller,
    preconditions: WritePreconditions,
    tx: SqlExecutor,
  ): Promise<never> {
    await this.accounts.lock(id, scope, tx, preconditions);
    throw new ApiError(LAST_ADMIN);
  }

  /**
   * Verifies the current password of the caller.
   * @returns the hash that the password matches, or `undefined` if the user was deleted
   * @throws ApiError 422 for a wrong password
   */
  private async verifyCurrentPassword(caller: Caller, password: string): Promise<string | undefined> {
    const user = await this.accounts.find(caller.userId, EVERYTHING);
    // The user was deleted. The transaction will throw `INVALID_TOKEN`.
    if (!user) return undefined;
    const verified = await this.verifier.verify(user.email, password, caller.address);
    if (verified?.id !== user.id) throw wrongCurrentPassword();
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

const wrongCurrentPassword = (): ApiError =>
  bodyError([{ field: 'currentPassword', code: 'NOT_ALLOWED', message: 'must be your current password' }]);
