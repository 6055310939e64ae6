import { defineAccess } from '@plinth/core';

/** Staff see all companies. Managers and members see their own. */
export const ACCESS = defineAccess({
  permissions: ['create', 'read', 'update', 'delete', 'manage_users'],
  roles: {
    admin: { permissions: ['create', 'read', 'update', 'delete', 'manage_users'], isStaff: true },
    editor: { permissions: ['create', 'read', 'update', 'delete', 'manage_users'] },
    viewer: { permissions: ['create', 'read', 'update'] },
  },
  administratorRole: 'admin',
  anonymousRoles: ['viewer'],
  grantedResources: ['ticket', 'user'],
  attributes: ['companyId'],
});
