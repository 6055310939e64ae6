import { ApiError } from '../http/errors/api-error.js';
import { PERMISSION_DENIED } from './access.errors.js';
import { GrantedPermission } from './grants.js';
import { AccessRule, PermissionRule } from './require-permission.decorator.js';
import { Permission, STAFF } from './permissions.js';
import { Principal } from './principal.js';

/** What a decision needs of a request: its method in capitals, and its path's parameters. */
export interface Call {
  readonly method: string;
  readonly params: unknown;
}

/** What a method does, by the permission that it stands for. */
export const PERMISSION_OF: Readonly<Record<string, GrantedPermission>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
};

/** Whether a call is let through by role and path alone. What `orOwner` lets through, `permit()` has yet to judge. */
export function mayCall(rule: AccessRule, principal: Principal | null, call: Call): boolean {
  if (rule.isPublic) return true;
  if (!principal) return false;
  const isByRole = principal.permissions.has(rule.permission) && (!rule.isForStaff || isStaff(principal));
  return (
    isByRole ||
    (isOwn(rule, principal, call.params) && actsForOwner(principal, permissionAsOwner(rule, call)))
  );
}

/** Whether what belongs to others is open to the caller, as far as their permissions go. */
export function isStaff({ role }: Principal): boolean {
  return STAFF.has(role);
}

/**
 * Lets pass who has a permission, and the owner of what it is about.
 *
 * @throws ApiError `PERMISSION_DENIED`
 */
export function permit(principal: Principal, permission: Permission, ownerId?: number): void {
  if (principal.permissions.has(permission)) return;
  const isOwner = ownerId !== undefined && principal.userId === ownerId;
  if (!isOwner || !actsForOwner(principal, permission)) throw denied(principal, permission);
}

/**
 * What a caller without a permission is told.
 *
 * @param isOfOthers the permission as it goes for what belongs to others
 */
export function denied(principal: Principal | null, permission: Permission, isOfOthers = false): ApiError {
  const role = principal ? `The role ${principal.role}` : 'A caller without credentials';
  const who = principal?.kind === 'api-key' ? `The API key of a caller of role ${principal.role}` : role;
  return new ApiError(
    PERMISSION_DENIED,
    `${who} lacks the permission ${permission}${isOfOthers ? ' for what belongs to others' : ''}.`,
  );
}

/** What a caller is told whom a grant denies what their role allows. */
export function deniedByGrant(permission: Permission): ApiError {
  return new ApiError(PERMISSION_DENIED, `The permission ${permission} is denied for this resource.`);
}

/** What a key must hold to do with what is its owner's: of a path of theirs, what the method stands for. */
function permissionAsOwner({ own, permission }: PermissionRule, { method }: Call): Permission | undefined {
  return own?.by === 'row' ? permission : PERMISSION_OF[method];
}

function isOwn({ own }: PermissionRule, { userId }: Principal, params: unknown): boolean {
  if (!own || userId === null) return false;
  if (own.by === 'row') return true;
  const named = (params as Readonly<Record<string, string>>)[own.parameter] ?? '';
  return /^\d+$/.test(named) && Number(named) === userId;
}

/** Users do as they like with what is theirs. A key does what it was given leave to. */
function actsForOwner({ kind, permissions }: Principal, permission: Permission | undefined): boolean {
  return kind !== 'api-key' || (permission !== undefined && permissions.has(permission));
}
