import { defineAccess } from '@plinth/core';

/**
 * Agents work at the desk, and see the tickets of all companies. Customers see the tickets of their company, and add
 * tickets, comments and attachments.
 */
export const ACCESS = defineAccess({
  permissions: ['create', 'read', 'update', 'delete', 'manage_users'],
  roles: {
    admin: { permissions: ['create', 'read', 'update', 'delete', 'manage_users'], isStaff: true },
    agent: { permissions: ['create', 'read', 'update', 'delete'], isStaff: true, rateLimit: 3000 },
    customer: { permissions: ['create', 'read'] },
  },
  administratorRole: 'admin',
  anonymousRoles: [],
  grantedResources: ['user'],
  attributes: ['companyId'],
});

/** The roles of the people who answer tickets. */
export const DESK_ROLES: readonly string[] = ['admin', 'agent'];

declare module '@plinth/core' {
  interface DeclaredAccess {
    readonly access: typeof ACCESS;
  }
}
