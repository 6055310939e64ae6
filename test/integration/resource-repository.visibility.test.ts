import '../../src/config/access.js';
import { EVERYTHING } from '../../packages/core/src/access/visibility.js';
import { grantsOn } from '../../packages/core/src/access/grant-links.js';
import { Effect, GrantedPermission, Grants } from '../../packages/core/src/access/grants.js';
import { Role, permissionsOf } from '../../packages/core/src/config/define-access.js';
import { Visibility, visibilityOf } from '../../packages/core/src/access/visibility.js';
import { ProductsRepository } from '../../src/products/products.repository.js';
import { openRepositories, outcome, Repositories } from '../support/repositories.js';

/** A row is judged where it is read or written: what becomes of it afterwards, shown or not, makes no difference. */
describe('a repository, asked with the visibility of a caller', () => {
  let repositories: Repositories;
  let products: ProductsRepository;
  let id: number;

  beforeAll(async () => {
    repositories = await openRepositories();
    ({ products } = repositories);
  });
  beforeEach(async () => {
    ({ id } = await products.insert({ name: 'Lamp', price: 1, category: 'a' }));
  });
  afterAll(() => repositories.close());

  const visibility = (role: Role, permission: GrantedPermission, effect: Effect, on: number): Visibility =>
    visibilityOf({
      principal: {
        kind: 'user',
        userId: 7,
        keyId: null,
        loginId: null,
        role,
        permissions: permissionsOf(role),
        scheme: 'bearer',
      },
      rule: { isPublic: false, permission },
      permission,
      links: [grantsOn('product')],
      params: {},
      grants: new Grants([
        { resourceType: 'product', resourceId: on, permissions: [permission], effect, isOfKey: false },
      ]),
    });

  type Case = [name: string, role: Role, effect: Effect, isOn: boolean, outcome: string];
  const CASES: Case[] = [
    ['denied', 'admin', 'deny', true, 'PERMISSION_DENIED'],
    ['beside what is denied', 'admin', 'deny', false, 'done'],
    ['allowed', 'viewer', 'allow', true, 'done'],
    ['beside what is allowed', 'viewer', 'allow', false, 'PERMISSION_DENIED'],
  ];

  it.each(CASES)('writes a row only where it may: %s', async (_name, role, effect, isOn, expected) => {
    const scope = (permission: GrantedPermission): Visibility =>
      visibility(role, permission, effect, isOn ? id : 999);
    const before = await products.get(id, EVERYTHING);
    const { database } = repositories;
    const lock = database.transaction((on) => products.lock(id, scope('update'), on));
    expect(await outcome(lock)).toBe(expected);
    expect(await outcome(products.update(id, {}, scope('update')))).toBe(expected);
    expect(await outcome(products.update(id, { name: 'Shelf' }, scope('update')))).toBe(expected);
    expect((await products.get(id, EVERYTHING)).name).toBe(expected === 'done' ? 'Shelf' : before.name);
    expect(await outcome(products.remove(id, scope('delete')))).toBe(expected);
    expect((await products.find(id, EVERYTHING)) === null).toBe(expected === 'done');
  });

  it('reads what is denied as denied, and what is unknown as if it were not there', async () => {
    const read = (seen: Visibility) => outcome(products.get(id, seen));
    const nothing = { ...visibility('admin', 'read', 'deny', id), anyOf: [], readable: [] };
    expect(await read(visibility('admin', 'read', 'deny', id))).toBe('PERMISSION_DENIED');
    expect(await read(visibility('admin', 'read', 'deny', 999))).toBe('done');
    expect(await read(nothing)).toBe('PRODUCT_NOT_FOUND');
    expect(await products.find(id, nothing)).toBeNull();
  });
});
