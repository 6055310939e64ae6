import { denied, INVALID_TOKEN } from '../access/access.errors.js';
import { Role, permissionsOf } from '../config/define-access.js';
import { Principal } from '../access/principal.js';
import { Connection } from '../database/connection.js';
import { ApiError } from '../http/errors/api-error.js';
import { accountTable } from './account.entity.js';

/** The role of those who administer the service. An application declares it. */
export const ADMIN: Role = 'admin';

/** The caller with the permissions that another role gives: an API key keeps within those of its own. */
export function withRole(caller: Principal, role: Role): Principal {
  const allowed = permissionsOf(role);
  const permissions =
    caller.kind === 'api-key'
      ? new Set([...caller.permissions].filter((permission) => allowed.has(permission)))
      : allowed;
  return { ...caller, role, permissions };
}

/** Locks the caller's user, and gives the caller the role of now: a token keeps its role until it expires. */
export async function lockCaller(
  caller: Principal,
  on: Connection,
  strength: 'share' | 'exclusive' = 'share',
): Promise<Principal> {
  const lock = strength === 'share' ? 'for share' : 'for no key update';
  const text = `select role from ${accountTable(on.manager.dataSource)} where id = $1 ${lock}`;
  const statement = { text, values: [caller.userId], name: `caller_${strength}` };
  const [user] = await on.query<{ role: Role }>(statement);
  if (!user) throw new ApiError(INVALID_TOKEN);
  return withRole(caller, user.role);
}

/**
 * Asserts that the caller may manage users now, and keeps it so until the end of the transaction.
 * @throws ApiError `PERMISSION_DENIED`, or `INVALID_TOKEN` where the user is gone
 * @example await database.transaction(async (tx) => { await assertManagesUsers(caller, tx); … });
 */
export async function assertManagesUsers(caller: Principal, on: Connection): Promise<void> {
  const current = await lockCaller(caller, on);
  if (!current.permissions.has('manage_users')) throw denied(current, 'manage_users');
}
