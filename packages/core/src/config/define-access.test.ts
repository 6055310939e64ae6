import { administratorRole, defineAccess, highestRoleRateLimit, roleRateLimit } from './define-access.js';

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

describe('the rate limit of a role', () => {
  const defineLimit = (rateLimit: number | undefined) =>
    defineAccess({
      permissions: ['manage_users'],
      roles: { owner: { permissions: ['manage_users'], rateLimit } },
      administratorRole: 'owner',
      anonymousRoles: [],
      grantedResources: [],
    });

  test('is known to the service, and forgotten if the access is declared anew without it', () => {
    defineLimit(3_000);
    expect([roleRateLimit('owner'), roleRateLimit('reader'), highestRoleRateLimit()]).toEqual([
      3_000,
      undefined,
      3_000,
    ]);
    defineLimit(undefined);
    expect([roleRateLimit('owner'), highestRoleRateLimit()]).toEqual([undefined, 0]);
  });

  test.each([0, -1, 1.5, NaN, Infinity])('must be a whole number of at least 1, and not %d', (limit) => {
    expect(() => defineLimit(limit)).toThrow(
      `roles.owner.rateLimit: must be a whole number of at least 1 (got ${limit})`,
    );
  });
});
