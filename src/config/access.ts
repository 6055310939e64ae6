import { defineAccess } from '@plinth/core';

/** The roles table: the one place that says what a role may do. */
export const ACCESS = defineAccess({
  permissions: ['create', 'read', 'update', 'delete', 'manage_users'],
  roles: {
    admin: { permissions: ['create', 'read', 'update', 'delete', 'manage_users'], isStaff: true },
    editor: { permissions: ['create', 'read', 'update'], isStaff: true },
    viewer: { permissions: ['read'] },
  },
  anonymousRoles: ['viewer'],
  grantedResources: ['product', 'user', 'order', 'review'],
});

declare module '@plinth/core' {
  interface DeclaredAccess {
    readonly access: typeof ACCESS;
  }
}
