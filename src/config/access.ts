import { defineAccess } from '@plinth/core';

/** The roles and their permissions. No other file grants permissions to roles. */
export const ACCESS = defineAccess({
  permissions: ['create', 'read', 'update', 'delete', 'manage_users'],
  roles: {
    admin: { permissions: ['create', 'read', 'update', 'delete', 'manage_users'], isStaff: true },
    editor: { permissions: ['create', 'read', 'update'], isStaff: true },
    viewer: { permissions: ['read'] },
  },
  administratorRole: 'admin',
  anonymousRoles: ['viewer'],
  grantedResources: ['product', 'user', 'order', 'review'],
});

declare module '@plinth/core' {
  interface DeclaredAccess {
    readonly access: typeof ACCESS;
  }
}
