import { administratorRole, defineAccess } from './define-access.js';

const define = (administrator: 'owner' | 'reader') =>
  defineAccess({
    permissions: ['read', 'manage_users'],
    roles: { owner: { permissions: ['manage_users'] }, reader: { permissions: ['read'] } },
    administratorRole: administrator,
    anonymousRoles: [],
    grantedResources: [],
  });

describe('the role of administrators', () => {
  test('is unknown before the application declares its access', () => {
    expect(administratorRole).toThrow('defineAccess() must be called first');
  });

  test('must have the permission manage_users', () => {
    expect(() => define('reader')).toThrow(
      "administratorRole: must be a role with the permission manage_users (got 'reader')",
    );
  });

  test('has the name that the application declares', () => {
    define('owner');
    expect(administratorRole()).toBe('owner');
  });
});
