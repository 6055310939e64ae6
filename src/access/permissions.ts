import { ACCESS } from '../config/access.js';

/** The permissions that roles, API keys and routes name. */
export const PERMISSIONS = ACCESS.permissions;
export type Permission = (typeof PERMISSIONS)[number];

export type Role = keyof typeof ACCESS.roles;
// The keys of an object literal are those of its type.
export const ROLES = Object.keys(ACCESS.roles) as readonly Role[];

type PermissionsOfRoles = Readonly<Record<Role, ReadonlySet<Permission>>>;

/** What each role may do. */
export const ROLE_PERMISSIONS = ROLES.reduce<Partial<PermissionsOfRoles>>(
  (all, role) => ({ ...all, [role]: new Set<Permission>(ACCESS.roles[role].permissions) }),
  {},
) as PermissionsOfRoles;

/** The roles whose permissions reach what belongs to other people. */
export const STAFF: ReadonlySet<Role> = new Set(ROLES.filter((role) => ACCESS.roles[role].isStaff));
