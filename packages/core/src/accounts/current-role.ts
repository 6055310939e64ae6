import { denied, INVALID_API_KEY, INVALID_TOKEN } from '../access/access.errors.js';
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

/**
 * Locks the caller's user, and returns the caller with the user's current role: a token keeps its role until it expires.
 * The login or the API key that the request came with must still exist, so that a token that outlives its login
 * cannot create or change credentials.
 * @throws ApiError `INVALID_TOKEN` or `INVALID_API_KEY`
 */
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
  await assertNotEnded(caller, on);
  return withRole(caller, user.role);
}

/**
 * Asserts that the login or the API key of the caller still exists, and keeps it until the end of the transaction.
 * Call it after the caller's user is locked: whoever ends logins with a change of the user locks the user first, and
 * only a statement that begins after that change sees its result.
 * @throws ApiError `INVALID_TOKEN` or `INVALID_API_KEY`
 */
export async function assertNotEnded({ loginId, keyId }: Principal, on: Connection): Promise<void> {
  const id = loginId ?? keyId;
  // Basic proves the password in each request, and has nothing that could have ended.
  if (id === null) return;
  const table = keyId === null ? 'logins' : 'api_keys';
  const text = `select 1 from ${table} where id = $1 for key share`;
  const found = await on.query({ text, values: [id], name: `caller_${table}` });
  if (found.length === 0) throw new ApiError(keyId === null ? INVALID_TOKEN : INVALID_API_KEY);
}

/**
 * Asserts that the caller may manage users now, and keeps it so until the end of the transaction.
 * @throws ApiError `PERMISSION_DENIED`, or `INVALID_TOKEN` if the user or the login no longer exists
 * @example await database.transaction(async (tx) => { await assertManagesUsers(caller, tx); … });
 */
export async function assertManagesUsers(caller: Principal, on: Connection): Promise<void> {
  const current = await lockCaller(caller, on);
  if (!current.permissions.has('manage_users')) throw denied(current, 'manage_users');
}
