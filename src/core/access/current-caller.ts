import { Connection } from '../database/connection.js';
import { ApiError } from '../http/errors/api-error.js';
import { denied, INVALID_TOKEN } from './access.errors.js';
import { Role, ROLE_PERMISSIONS } from './permissions.js';
import { Principal } from './principal.js';

/** The caller with the permissions that another role gives: an API key keeps within those of its own. */
export function withRole(caller: Principal, role: Role): Principal {
  const allowed = ROLE_PERMISSIONS[role];
  const permissions =
    caller.kind === 'api-key'
      ? new Set([...caller.permissions].filter((permission) => allowed.has(permission)))
      : allowed;
  return { ...caller, role, permissions };
}

/**
 * Locks the caller's user until the end of the transaction, and returns the caller with the role that the user has
 * now, whatever the credentials say: a token keeps its role until it expires.
 *
 * @param on a transaction
 * @param strength `share` keeps the user from being changed or deleted; `exclusive` also makes others who lock it wait
 * @throws ApiError 401 where the user has been deleted
 */
export async function lockCaller(
  caller: Principal,
  on: Connection,
  strength: 'share' | 'exclusive' = 'share',
): Promise<Principal> {
  const lock = strength === 'share' ? 'for share' : 'for no key update';
  const text = `select role from users where id = $1 ${lock}`;
  const name = `caller_${strength}`;
  const [user] = await on.query<{ role: Role }>({ text, values: [caller.userId], name });
  if (!user) throw new ApiError(INVALID_TOKEN);
  return withRole(caller, user.role);
}

/**
 * Asserts that the caller may manage users now, and keeps it so until the end of the transaction.
 *
 * @throws ApiError 401 where the caller has been deleted, `PERMISSION_DENIED` where they lack `manage_users`
 */
export async function assertManagesUsers(caller: Principal, on: Connection): Promise<void> {
  const current = await lockCaller(caller, on);
  if (!current.permissions.has('manage_users')) throw denied(current, 'manage_users');
}
