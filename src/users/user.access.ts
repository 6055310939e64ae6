import { assertManagesUsers, Connection, denied, permit, Principal } from '../core/index.js';
import { PatchUserDto } from './user.dto.js';
import { User } from './user.entity.js';

export const managesUsers = ({ permissions }: Principal): boolean => permissions.has('manage_users');

/**
 * Asserts that a caller may create a user: anybody a viewer, by saying nothing of the role; one of a named role only
 * who manages users, until the end of the transaction.
 *
 * @throws ApiError `PERMISSION_DENIED`, 401 where the caller has been deleted
 */
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

/**
 * Asserts that the caller may write these fields: role by `manage_users` only, e-mail and password by the user and by
 * `manage_users`. Grants cover none of them. Any caller may send the current role and e-mail.
 *
 * @throws ApiError `PERMISSION_DENIED`
 */
export function assertMayWrite(
  caller: Principal,
  user: User,
  { role, email, password }: Pick<PatchUserDto, 'role' | 'email' | 'password'>,
): void {
  if (managesUsers(caller)) return;
  const isChangingRole = role !== undefined && role !== user.role;
  const isChangingLogin = password !== undefined || (email !== undefined && email !== user.email);
  if (isChangingRole || (isChangingLogin && !actsAs(caller, user))) throw denied(caller, 'manage_users');
}

/** Whether a caller is the user, by more than a grant: an API key acts as its owner as far as its permissions go. */
const actsAs = ({ userId, kind, permissions }: Principal, user: User): boolean =>
  userId === user.id && (kind !== 'api-key' || permissions.has('update'));
