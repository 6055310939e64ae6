import { grantsOn, grantsVia } from './grant-links.js';
import { Grant, GrantedPermission, Grants, PERMISSION_OF } from './grants.js';
import { defineAccess, Permission, ResourceType, Role, permissionsOf } from '../config/define-access.js';
import { Principal } from './principal.js';
import { PermissionRule } from './require-permission.decorator.js';
import { AccessQuestion, EVERYTHING, isVisible, Visibility, visibilityOf } from './visibility.js';

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

const ME = 7;
const REVIEW = [grantsOn('review', 'reviewId'), grantsVia('product', 'productId')];
const ORDER = [grantsOn('order', 'orderId'), grantsVia('user', 'userId')];

const user = (role: Role): Principal => ({
  kind: 'user',
  userId: ME,
  keyId: null,
  loginId: null,
  role,
  permissions: permissionsOf(role),
  scheme: 'bearer',
});

const keyOf = (role: Role, ...permissions: Permission[]): Principal => ({
  ...user(role),
  kind: 'api-key',
  keyId: 3,
  scheme: 'api-key',
  permissions: new Set(permissions),
});

const rule = (permission: Permission, more: Partial<PermissionRule> = {}): PermissionRule => ({
  isPublic: false,
  permission,
  ...more,
});

/** Orders: the staff's, or one's own. */
const ORDERS = rule('read', { staff: true, orOwner: 'userId' });
/** Changes of reviews: by role, or one's own. */
const CHANGES = rule('update', { orOwner: 'userId' });

const grant =
  (effect: Grant['effect'], isOfKey = false) =>
  (type: ResourceType, id: number, ...permissions: GrantedPermission[]): Grant => ({
    resourceType: type,
    resourceId: id,
    permissions: permissions.length > 0 ? permissions : ['read'],
    effect,
    isOfKey,
  });
const allow = grant('allow');
const allowKey = grant('allow', true);
const deny = grant('deny');
const denyKey = grant('deny', true);

const ask = (question: Partial<AccessQuestion>, ...grants: Grant[]) =>
  visibilityOf({
    principal: user('viewer'),
    rule: rule('read'),
    permission: 'read',
    links: [grantsOn('product')],
    params: {},
    grants: new Grants(grants),
    ...question,
  });

type Judgement = 'visible' | 'unknown' | 'denied' | 'refused' | 'no request';

function judge(visibility: Visibility, row: object): Judgement {
  if (visibility.anyOf?.length === 0) return 'no request';
  try {
    return isVisible(visibility, row) ? 'visible' : 'unknown';
  } catch (error) {
    return String(error).includes('is denied for this resource') ? 'denied' : 'refused';
  }
}

function mayCall(question: Partial<AccessQuestion>, ...grants: Grant[]): boolean {
  try {
    return ask(question, ...grants).anyOf?.length !== 0;
  } catch (error) {
    expect(String(error)).toContain('is denied for this resource');
    return false;
  }
}

it.each(['0x1', '1e0', ' 1', '1.0'])('refuses an id of the path that cannot be read: %p', (id) => {
  const product = { params: { id }, principal: user('editor') };
  expect(() => ask(product, deny('product', 1))).toThrow(expect.objectContaining({ status: 400 }));
  const create = { ...product, permission: 'create', rule: rule('create') } as const;
  expect(() => ask(create, deny('product', 1, 'create'))).toThrow(expect.objectContaining({ status: 400 }));
});

const ANONYMOUS: Principal = { ...user('viewer'), kind: 'anonymous', userId: null };
const SELF = { orSelf: 'id' };
const STAFF = { orSelf: 'id', staff: true };

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
    ['nobody in person', rule('read', STAFF), ANONYMOUS, 'GET', '0', false],
    ['a viewer, for the orders of another', rule('read', STAFF), user('viewer'), 'GET', '8', false],
    ['a viewer, for their own orders', rule('read', STAFF), user('viewer'), 'GET', '7', true],
    ['an editor, for the orders of another', rule('read', STAFF), user('editor'), 'GET', '8', true],
    ['any user, where the row decides', rule('update', { orOwner: true }), user('viewer'), 'PATCH', '', true],
    ['a key for itself, with leave to', rule('manage_users', SELF), keyOf('admin', 'read'), 'GET', '7', true],
    [
      'a key for itself, without leave to',
      rule('manage_users', SELF),
      keyOf('admin', 'read'),
      'DELETE',
      '7',
      false,
    ],
    [
      'a key, where the row decides',
      rule('create', { orOwner: true }),
      keyOf('admin', 'read'),
      'POST',
      '',
      false,
    ],
  ])('%s', (_name, rule, principal, method, id, isAllowed) => {
    const permission = PERMISSION_OF[method]!;
    expect(ask({ principal, rule, permission, links: [], params: { id } }).anyOf).toEqual(
      isAllowed ? null : [],
    );
  });
});

describe('a decision by the path', () => {
  const named = { params: { id: '1' } };
  const update = { ...named, permission: 'update', rule: rule('update') } as const;
  const ofReview = { links: REVIEW, params: { productId: '1', reviewId: '9' } };
  const editor = { principal: user('editor') };

  test.each<[string, Partial<AccessQuestion>, Grant[], boolean]>([
    ['the role’s, without grants', named, [], true],
    ['the role’s, where grants are about others', update, [allow('product', 2, 'update')], false],
    ['the role’s, where grants are about another type', named, [deny('order', 1)], true],
    ['the role’s, where another permission is denied', named, [deny('product', 1, 'delete')], true],
    ['an allow beats the role', update, [allow('product', 1, 'update')], true],
    ['a deny beats an allow', update, [allow('product', 1, 'update'), deny('product', 1, 'update')], false],
    ['a deny beats the role', { ...update, ...editor }, [deny('product', 1, 'update')], false],
    ['what is hidden is hidden from every method', { ...update, ...editor }, [deny('product', 1)], false],
    [
      'what belongs to what is hidden is hidden',
      { ...ofReview, ...editor, permission: 'update', rule: rule('update') },
      [deny('product', 1)],
      false,
    ],
    [
      'what belongs to what is denied is denied',
      { ...update, ...ofReview, ...editor },
      [deny('product', 1, 'update')],
      false,
    ],
    [
      'what belongs to what is allowed is allowed',
      { ...update, ...ofReview },
      [allow('product', 1, 'update')],
      true,
    ],
    ['a key that lacks it', { ...update, principal: keyOf('editor', 'read') }, [], false],
    [
      'a key’s own allow',
      { ...update, principal: keyOf('editor', 'read') },
      [allowKey('product', 1, 'update')],
      true,
    ],
    [
      '… as far as its owner may',
      { ...update, principal: keyOf('viewer', 'read') },
      [allowKey('product', 1, 'update')],
      false,
    ],
    [
      '… who may by a grant',
      { ...update, principal: keyOf('viewer', 'read') },
      [allowKey('product', 1, 'update'), allow('product', 1, 'update')],
      true,
    ],
    [
      'an owner’s allow, where the key lacks it',
      { ...update, principal: keyOf('viewer', 'read') },
      [allow('product', 1, 'update')],
      false,
    ],
    ['a deny of the owner', { ...named, principal: keyOf('editor', 'read') }, [deny('product', 1)], false],
    ['a deny of the key', { ...named, principal: keyOf('editor', 'read') }, [denyKey('product', 1)], false],
    [
      'a new row, of which no grant tells',
      { permission: 'create', rule: rule('create') },
      [allow('product', 1, 'create')],
      false,
    ],
    [
      'a new row of what is allowed',
      { ...ofReview, params: { productId: '1' }, permission: 'create', rule: rule('create') },
      [allow('product', 1, 'create')],
      true,
    ],
  ])('%s', (_name, question, grants, isAllowed) => {
    expect(mayCall(question, ...grants)).toBe(isAllowed);
  });

  it('is one object where nothing is narrowed', () => {
    expect(ask({})).toBe(EVERYTHING);
    expect(ask({}, deny('order', 1))).toBe(EVERYTHING);
    expect(Object.isFrozen(ask({}, deny('product', 1)))).toBe(true);
  });
});

describe('rows', () => {
  const theirs = { id: 5, userId: 8 };
  const mine = { id: 6, userId: ME };
  const orders = { rule: ORDERS, links: ORDER };
  const ofKey = (...permissions: Permission[]) => ({ ...orders, principal: keyOf('viewer', ...permissions) });
  const reviews = { links: REVIEW };
  const changes = { links: REVIEW, rule: CHANGES, permission: 'update' } as const;
  const review = { id: 9, productId: 1, userId: 8 };

  test.each<[string, Partial<AccessQuestion>, Grant[], object, Judgement]>([
    ['one’s own', orders, [], mine, 'visible'],
    ['another’s, to a viewer', orders, [], theirs, 'unknown'],
    ['another’s, to the staff', { ...orders, principal: user('editor') }, [], theirs, 'visible'],
    ['opened', orders, [allow('order', 5)], theirs, 'visible'],
    ['opened with what it belongs to', orders, [allow('user', 8)], theirs, 'visible'],
    ['one’s own, beside what is opened', orders, [allow('order', 5)], mine, 'visible'],
    ['beside what is opened', orders, [allow('order', 4)], theirs, 'unknown'],
    [
      'hidden, that was visible',
      { ...orders, principal: user('editor') },
      [deny('user', 8)],
      theirs,
      'denied',
    ],
    ['hidden, that was unknown', orders, [deny('user', 8)], theirs, 'unknown'],
    ['hidden, of one’s own', orders, [deny('order', 6)], mine, 'denied'],
    ['hidden and opened', orders, [deny('order', 5), allow('user', 8)], theirs, 'denied'],
    ['a key’s owner’s', ofKey('read'), [], mine, 'visible'],
    ['a key’s owner’s, without `read`', ofKey(), [], mine, 'no request'],
    [
      'a key’s owner’s, without `read`, beside what is opened',
      ofKey(),
      [allowKey('order', 5), allow('order', 5)],
      mine,
      'unknown',
    ],
    ['opened to a key without `read`', ofKey(), [allowKey('order', 5), allow('order', 5)], theirs, 'visible'],
    ['opened to a key of somebody who may not see it', ofKey(), [allowKey('order', 5)], theirs, 'unknown'],
    ['of its owner, opened to a key', ofKey(), [allowKey('order', 6)], mine, 'visible'],
    ['opened to the owner of a key that may read', ofKey('read'), [allow('order', 5)], theirs, 'visible'],
    ['of a hidden product', reviews, [deny('product', 1)], review, 'denied'],
    ['of another’s, to change', changes, [], review, 'refused'],
    ['of one’s own, to change', changes, [], { ...review, userId: ME }, 'visible'],
    ['of another’s, opened with its product', changes, [allow('product', 1, 'update')], review, 'visible'],
    ['hidden, to change', changes, [deny('product', 1)], review, 'denied'],
    ['hidden, of one’s own, to change', changes, [deny('product', 1)], { ...review, userId: ME }, 'denied'],
  ])('%s', (_name, question, grants, row, judgement) => {
    expect(judge(ask(question, ...grants), row)).toBe(judgement);
  });

  it('bind cursors to whose they are', () => {
    expect(ask(orders).owner).toBe('7');
    expect(ask({ ...orders, principal: user('editor') }).owner).toBe('');
    expect(ask(reviews, deny('product', 1)).owner).toBe('');
  });
});
