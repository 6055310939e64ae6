import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { defineAccess } from '../config/define-access.js';
import { DocumentedOperation } from './openapi.js';
import { operationName } from './operation-names.js';
import { documentOperation } from './operation.js';

test('who may call an operation is told by the roles that the application declares', () => {
  defineAccess({
    permissions: ['read'],
    roles: { support: { permissions: ['read'], isStaff: true }, viewer: { permissions: ['read'] } },
    anonymousRoles: [],
    grantedResources: [],
  });
  const operation: DocumentedOperation['operation'] = { responses: {} };
  const access = { isPublic: false, permission: 'read', staff: true } as const;
  // What an operation without resource asks of them.
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
])('%s.%s is %s', (controller, method, name) => {
  expect(operationName(controller, method)).toBe(name);
});
