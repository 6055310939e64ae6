import { ACCESS } from '../../config/access.js';
import { Codec } from '../fields/codec.js';
import { FieldOptions } from '../fields/field.js';
import { Choices } from '../fields/fields.js';

/** The permissions that roles, API keys and routes name. */
export const PERMISSIONS = ACCESS.permissions;
export type Permission = (typeof PERMISSIONS)[number];

export type Role = keyof typeof ACCESS.roles;
// The keys of an object literal are those of its type.
export const ROLES = Object.keys(ACCESS.roles) as readonly Role[];

type PermissionsOfRoles = Readonly<Record<Role, ReadonlySet<Permission>>>;

/** The permissions of each role. */
export const ROLE_PERMISSIONS = ROLES.reduce<Partial<PermissionsOfRoles>>(
  (all, role) => ({ ...all, [role]: new Set<Permission>(ACCESS.roles[role].permissions) }),
  {},
) as PermissionsOfRoles;

/** The roles whose permissions reach what belongs to other people. */
export const STAFF: ReadonlySet<Role> = new Set(ROLES.filter((role) => ACCESS.roles[role].isStaff));

/** Permissions as a column stores them: each once, in the order of the roles table, comma-separated. */
export const PERMISSION_LIST: Codec = {
  select: (column) => `string_to_array(${column}, ',')`,
  from: (text: string) => text.split(','),
  to: (permissions: readonly Permission[]) =>
    PERMISSIONS.filter((permission) => permissions.includes(permission)).join(','),
};

/** At least one permission out of `of`. */
export function PermissionList(options: FieldOptions & { of: readonly Permission[] }): PropertyDecorator {
  const column = { type: 'varchar', array: false, length: 100, transformer: PERMISSION_LIST } as const;
  return Choices({ ...options, min: 1, column });
}
