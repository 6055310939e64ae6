import { MANAGE_USERS } from '../config/define-access.js';
import { permissionDenied, PERMISSION_DENIED } from '../access/access.errors.js';
import { seesMoreRows } from '../access/row-limits.js';
import { Principal } from '../access/principal.js';
import { ApiError } from '../http/errors/api-error.js';
import { AccountEntity } from './account.entity.js';

/** The body of an update of a user. */
export type AccountChanges<Account extends AccountEntity = AccountEntity> = Partial<Account> & {
  readonly password?: string;
  readonly currentPassword?: string;
};

/** The fields that decide who can log in, and with which role. */
export type LoginChanges = Pick<AccountChanges, 'email' | 'password' | 'role'>;

/**
 * Returns the error for an API key that tries to change a login. With a new password, the holder of the key could take
 * over the whole account.
 * @param what the rejected action, such as `delete its owner`
 */
export const deniedForApiKeys = (what: string): ApiError =>
  new ApiError(PERMISSION_DENIED, `An API key cannot ${what}: use a token, a session or Basic.`);

/** Whether the caller uses an API key that belongs to the user. */
export const isApiKeyOf = (userId: number, { kind, userId: ownerId }: Principal): boolean =>
  kind === 'api-key' && ownerId === userId;

/**
 * Asserts that the caller may make the changes of a body to the role, the e-mail and the password of a user. Grants
 * cannot allow these changes, and API keys may not make them. A role or e-mail that the user already has is not a
 * change.
 * @throws ApiError `PERMISSION_DENIED`
 */
export function assertMayChangeLogin(caller: Principal, user: AccountEntity, changes: LoginChanges): void {
  const isManager = caller.permissions.has(MANAGE_USERS);
  const isChangingLogin = changesLogin(user, changes);
  const isChangingRole = changesRole(user, changes);
  if (isChangingRole && !isManager) throw permissionDenied(caller, MANAGE_USERS);
  if (isChangingLogin && !isManager && caller.userId !== user.id)
    throw permissionDenied(caller, MANAGE_USERS);
  // With the login of such a user, or with such a role, the caller would see rows that do not concern them.
  const roles = [user.role, changes.role ?? user.role];
  if ((isChangingLogin || isChangingRole) && roles.some((role) => seesMoreRows(role, caller)))
    throw permissionDenied(caller, MANAGE_USERS, true);
  if (caller.kind === 'api-key' && (isChangingLogin || isChangingRole))
    throw deniedForApiKeys('change the e-mail, password or role of a user');
}

/**
 * Asserts that the caller may delete a user. A manager whom `rows` limit could otherwise remove staff.
 * @throws ApiError `PERMISSION_DENIED`
 */
export function assertMayRemove(caller: Principal, { id, role }: AccountEntity): void {
  if (caller.userId !== id && seesMoreRows(role, caller)) throw permissionDenied(caller, MANAGE_USERS, true);
}

/**
 * Whether a body changes the e-mail or the password of a user. An e-mail that the user already has is not a change. A
 * password always counts as a change.
 */
export const changesLogin = (user: AccountEntity | undefined, { email, password }: LoginChanges): boolean =>
  password !== undefined || (email !== undefined && email !== user?.email);

/** Whether a body changes the role of a user. */
export const changesRole = (user: AccountEntity | undefined, { role }: LoginChanges): boolean =>
  role !== undefined && role !== user?.role;
