import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { defineAccess } from '../config/define-access.js';
import { DocumentedOperation } from './openapi.js';
import { operationName } from './operation-names.js';
import { documentOperation } from './operation.js';

test('describes who may call an operation by the roles that the application declares', () => {
  defineAccess({
    permissions: ['read', 'manage_users'],
    roles: {
      admin: { permissions: ['manage_users'] },
      support: { permissions: ['read'], isStaff: true },
      viewer: { permissions: ['read'] },
    },
    administratorRole: 'admin',
    anonymousRoles: [],
    grantedResources: [],
  });
  const operation: DocumentedOperation['operation'] = { responses: {} };
  const access = { isPublic: false, permission: 'read', staff: true } as const;
  // The only property that documenting an operation without a resource reads.
  const schemes = { all: [] } as unknown as AuthSchemes;
  const documented: DocumentedOperation = {
    operation,
    method: 'GET',
    path: '/reports',
    policy: { access },
    nounFor: String,
  };
  documentOperation(documented, schemes, {});
  expect(operation.description).toBe('**Access:** needs the permission `read` and a staff role (`support`).');
});

test.each([
  ['ProductsController', 'get', 'getProduct'],
  ['ProductsV2Controller', 'list', 'listProducts'],
  ['ItemsOfOrderController', 'remove', 'deleteItemOfOrder'],
  ['CategoriesController', 'create', 'createCategory'],
  ['OrderBoxesController', 'patch', 'patchOrderBox'],
  ['LoginController', 'login[1]', 'login'],
])('names the operation of %s.%s %s', (controller, method, name) => {
  expect(operationName(controller, method)).toBe(name);
});
