import { NO_GRANTS, PERMISSION_OF } from './grants.js';
import { defineAccess, Permission, Role, permissionsOf } from '../config/define-access.js';
import { Principal } from './principal.js';
import { PermissionRule, RequirePermissionOptions } from './require-permission.decorator.js';
import { visibilityOf } from './visibility.js';

defineAccess({
  permissions: ['create', 'read', 'update', 'delete', 'manage_users'],
  roles: {
    admin: { permissions: ['create', 'read', 'update', 'delete', 'manage_users'], isStaff: true },
    editor: { permissions: ['create', 'read', 'update'], isStaff: true },
    viewer: { permissions: ['read'] },
  },
  anonymousRoles: ['viewer'],
  grantedResources: ['product', 'user', 'order', 'review'],
});

const user = (role: Role, userId: number | null = 7): Principal => ({
  kind: userId === null ? 'anonymous' : 'user',
  userId,
  keyId: null,
  loginId: null,
  role,
  permissions: permissionsOf(role),
  scheme: 'bearer',
});

const key = (...permissions: Permission[]): Principal => ({
  ...user('admin'),
  kind: 'api-key',
  keyId: 3,
  scheme: 'api-key',
  permissions: new Set(permissions),
});

const rule = (permission: Permission, options: RequirePermissionOptions = {}): PermissionRule => ({
  isPublic: false,
  permission,
  ...options,
});

const SELF = { orSelf: 'id' };
const ORDERS = { orSelf: 'id', staff: true };

describe('what role, key and path decide', () => {
  test.each<[string, PermissionRule, Principal, string, string, boolean]>([
    ['a permission of the role', rule('create'), user('editor'), 'POST', '', true],
    ['a permission the role lacks', rule('delete'), user('editor'), 'DELETE', '', false],
    ['a user, by a path of their own', rule('manage_users', SELF), user('viewer'), 'PATCH', '7', true],
    ['a user, by the path of another', rule('manage_users', SELF), user('viewer'), 'PATCH', '8', false],
    ['an administrator, by the path of another', rule('manage_users', SELF), user('admin'), 'PUT', '8', true],
    ['a path that is no id', rule('manage_users', SELF), user('viewer'), 'GET', 'me', false],
    ['an id written otherwise', rule('manage_users', SELF), user('viewer'), 'GET', '07', true],
    ['a number that is no id', rule('manage_users', SELF), user('viewer'), 'GET', '7.0', false],
    ['nobody in person', rule('read', ORDERS), user('viewer', null), 'GET', '0', false],
    ['a viewer, for the orders of another', rule('read', ORDERS), user('viewer'), 'GET', '8', false],
    ['a viewer, for their own orders', rule('read', ORDERS), user('viewer'), 'GET', '7', true],
    ['an editor, for the orders of another', rule('read', ORDERS), user('editor'), 'GET', '8', true],
    ['any user, where the row decides', rule('update', { orOwner: true }), user('viewer'), 'PATCH', '', true],
    ['a key for itself, with leave to', rule('manage_users', SELF), key('read'), 'GET', '7', true],
    ['a key for itself, without leave to', rule('manage_users', SELF), key('read'), 'DELETE', '7', false],
    ['a key, where the row decides', rule('create', { orOwner: true }), key('read'), 'POST', '', false],
  ])('%s', (_name, rule, principal, method, id, isAllowed) => {
    const permission = PERMISSION_OF[method]!;
    const { anyOf } = visibilityOf({
      principal,
      rule,
      permission,
      links: [],
      params: { id },
      grants: NO_GRANTS,
    });
    expect(anyOf).toEqual(isAllowed ? null : []);
  });
});
