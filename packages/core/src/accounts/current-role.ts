import { hash } from 'node:crypto';

import {
  permissionDenied,
  INVALID_API_KEY,
  INVALID_CREDENTIALS,
  INVALID_TOKEN,
  assertPermission,
} from '../access/access.errors.js';
import { GrantedPermission } from '../access/grants.js';
import { PERMISSIONS_CODEC } from '../access/permissions.js';
import { MANAGE_USERS, type Permission, Role, permissionsOf } from '../config/define-access.js';
import { Principal } from '../access/principal.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { ApiError } from '../http/errors/api-error.js';
import { AccountEntity, accountTable } from './account.entity.js';

/** The columns of a user that decide whether Basic credentials are valid. */
type UserCredentials = Pick<AccountEntity, 'canonicalEmail' | 'passwordHash'>;

/**
 * Returns the caller with another role, and with the permissions of this role. An API key gets no new permissions: it
 * keeps only permissions that it already has and that the role includes.
 */
export function withRole(caller: Principal, role: Role): Principal {
  const allowed = permissionsOf(role);
  const permissions =
    caller.kind === 'api-key'
      ? new Set([...caller.permissions].filter((permission) => allowed.has(permission)))
      : allowed;
  return { ...caller, role, permissions };
}

/** Returns the caller without the permission to manage users. */
export function withoutManageUsers(caller: Principal): Principal {
  const permissions = new Set(caller.permissions);
  permissions.delete(MANAGE_USERS);
  return { ...caller, permissions };
}

/**
 * Locks the caller's user, and returns the caller with the current role and permissions. The role that authentication
 * found may be outdated, because a token keeps its role until it expires, and because a client may need seconds to send
 * the body of a request.
 * @throws ApiError 401 if the login, the API key or the password that authenticated the request is no longer valid
 */
export async function lockCaller(
  caller: Principal,
  tx: SqlExecutor,
  strength: 'share' | 'exclusive' = 'share',
): Promise<Principal> {
  const lock = strength === 'share' ? 'for share' : 'for no key update';
  const text = `
    select role, canonical_email as "canonicalEmail", password_hash as "passwordHash" from ${accountTable(tx.manager.dataSource)} where id = $1 ${lock}`;
  const statement = { text, values: [caller.userId], name: `caller_${strength}` };
  const [user] = await tx.query<UserCredentials & Pick<AccountEntity, 'role'>>(statement);
  if (!user) throw new ApiError(INVALID_TOKEN);
  return refreshPrincipal(caller, user, tx);
}

/**
 * Returns the caller with the current role and permissions. Checks that the login, the API key or the password of the
 * request is still valid. Locks keep all of them unchanged until the end of the transaction.
 * @param user the user of the caller, whose row must be locked already. Code that ends logins locks this row too. So
 * either its result is visible to the statements below, or it waits for this transaction
 * @throws ApiError `INVALID_TOKEN`, `INVALID_API_KEY` or `INVALID_CREDENTIALS`
 */
export async function refreshPrincipal(
  caller: Principal,
  user: UserCredentials & Pick<AccountEntity, 'role'>,
  tx: SqlExecutor,
): Promise<Principal> {
  const { loginId, keyId, passwordDigest } = caller;
  const find = <Row extends object>(table: string, columns: string, lock: string): Promise<Row[]> => {
    const text = `select ${columns} from ${table} where id = $1 ${lock}`;
    return tx.query<Row>({ text, values: [loginId ?? keyId], name: `caller_${table}` });
  };
  if (passwordDigest !== undefined && passwordDigest !== digestPassword(user))
    throw new ApiError(INVALID_CREDENTIALS);
  if (loginId !== null && (await find('logins', '1', 'for key share')).length === 0)
    throw new ApiError(INVALID_TOKEN);
  if (keyId === null) return withRole(caller, user.role);
  const columns = `${PERMISSIONS_CODEC.select('permissions')} as permissions`;
  // This lock waits until a concurrent change of the permissions is complete.
  const [key] = await find<{ permissions: Permission[] }>('api_keys', columns, 'for share');
  if (!key) throw new ApiError(INVALID_API_KEY);
  return withRole({ ...caller, permissions: new Set(key.permissions) }, user.role);
}

/**
 * Asserts that an API key still has a permission at the moment of a write. The key may have lost the permission after
 * the request began. If the caller does not use an API key, the function does nothing, because users need no permission
 * for their own credentials.
 * @param current the caller with their current permissions, such as the result of `lockCaller()`
 * @throws ApiError `PERMISSION_DENIED`
 */
export function assertKeyPermission(current: Principal, permission: GrantedPermission): void {
  if (current.kind === 'api-key') assertPermission(current, permission);
}

/**
 * Returns a digest of the e-mail and the password hash of a user. A scheme that verifies a password with each request
 * stores the digest as `passwordDigest` of the `Principal`. A later write to credentials can then check that neither
 * the e-mail nor the password has changed.
 *
 * Do not use it for schemes without a password, such as tokens.
 * @example return { kind: 'user', scheme: 'basic', passwordDigest: digestPassword(user), … };
 */
export const digestPassword = ({ canonicalEmail, passwordHash }: UserCredentials): string =>
  hash('sha256', `${canonicalEmail} ${passwordHash}`, 'base64url');

/**
 * Asserts that the caller may manage users at this moment. `@RequirePermission('manage_users')` checks the role of the
 * token, which may be outdated. Call this function before a write that gives somebody permissions. A lock keeps the
 * permission until the end of the transaction.
 * @returns the caller with the current role and permissions
 * @throws ApiError `PERMISSION_DENIED`, or an error of `lockCaller()`
 * @example await database.transaction(async (tx) => { await assertManagesUsers(caller, tx); … });
 */
export async function assertManagesUsers(caller: Principal, tx: SqlExecutor): Promise<Principal> {
  const current = await lockCaller(caller, tx);
  if (!current.permissions.has(MANAGE_USERS)) throw permissionDenied(current, MANAGE_USERS);
  return current;
}
