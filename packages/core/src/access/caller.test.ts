import { defineAccess } from '../config/define-access.js';
import { EVERYTHING } from './access-scope.js';
import { Caller } from './caller.js';
import { NO_GRANTS } from './grants.js';

defineAccess({
  permissions: ['read', 'manage_users'],
  roles: {
    boss: { permissions: ['read', 'manage_users'], isStaff: true },
    reader: { permissions: ['read', 'manage_users'] },
  },
  administratorRole: 'boss',
  anonymousRoles: [],
  grantedResources: [],
});

it.each([
  ['boss', true],
  ['reader', false],
])('is staff only if the role is a staff role: %s', (role, isStaff) => {
  const principal = { kind: 'user', userId: 1, keyId: null, loginId: null, scheme: 'basic' } as const;
  const caller = new Caller(
    { ...principal, role: role as never, permissions: new Set() },
    EVERYTHING,
    [],
    NO_GRANTS,
    '',
  );
  expect(caller.isStaff).toBe(isStaff);
});
