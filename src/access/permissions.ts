/** The permissions that roles, API keys and routes name. */
export const PERMISSIONS = ['create', 'read', 'update', 'delete', 'manage_users'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ['admin', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** The roles table: the one place that says what a role may do. */
export const ROLE_PERMISSIONS: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  admin: new Set(PERMISSIONS),
  editor: new Set<Permission>(['create', 'read', 'update']),
  viewer: new Set<Permission>(['read']),
};

/** The roles whose permissions reach what belongs to other people. */
export const STAFF: ReadonlySet<Role> = new Set<Role>(['admin', 'editor']);
