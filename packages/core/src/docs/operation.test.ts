import { operationName } from './operation.js';

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
