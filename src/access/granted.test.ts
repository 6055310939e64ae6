import { grantsVia, decide, GrantQuestion, grantsOn } from './granted.js';
import { Grant, Grants } from './grants.js';
import { ROLE_PERMISSIONS, Role } from './permissions.js';
import { Principal } from './principal.js';

const REVIEW = [grantsOn('review', 'reviewId'), grantsVia('product', 'productId')];

const caller = (role: Role, kind: Principal['kind'] = 'user'): Principal => ({
  kind,
  userId: 7,
  keyId: kind === 'api-key' ? 3 : null,
  loginId: null,
  role,
  permissions: ROLE_PERMISSIONS[role],
  scheme: 'bearer',
});

const grant = (effect: Grant['effect'], more: Partial<Grant> = {}): Grant => ({
  resourceType: 'product',
  resourceId: 1,
  permissions: ['read', 'update'],
  effect,
  isOfKey: false,
  ...more,
});

const ask = (grants: Grant[], question: Partial<GrantQuestion> = {}) =>
  decide(new Grants(grants), {
    principal: caller('viewer'),
    permission: 'read',
    links: [grantsOn('product')],
    params: { id: '1' },
    isAllowedByRole: true,
    ...question,
  });

describe('a decision by grants', () => {
  it('is the role’s where no grant says otherwise', () => {
    expect(ask([])).toEqual({ isAllowed: true });
    expect(ask([], { isAllowedByRole: false })).toEqual({ isAllowed: false });
    expect(ask([grant('deny', { resourceId: 2 })])).toEqual({ isAllowed: true });
    expect(ask([grant('deny', { resourceType: 'order' })])).toEqual({ isAllowed: true });
    expect(ask([grant('deny')], { permission: 'delete' })).toEqual({ isAllowed: true });
  });

  it('lets a deny beat an allow, and an allow beat the role', () => {
    const update = { permission: 'update', isAllowedByRole: false } as const;
    expect(ask([grant('allow')], update).isAllowed).toBe(true);
    expect(ask([grant('allow'), grant('deny')], update).isAllowed).toBe(false);
    expect(ask([grant('deny'), grant('allow')]).isAllowed).toBe(false);
  });

  it('holds for what belongs to a resource: hidden with it, opened by it', () => {
    const nested = { links: REVIEW, params: { productId: '1', reviewId: '9' } };
    expect(
      ask([grant('deny', { permissions: ['read'] })], { ...nested, permission: 'delete' }).isAllowed,
    ).toBe(false);
    expect(ask([grant('allow')], { ...nested, permission: 'update', isAllowedByRole: false }).isAllowed).toBe(
      true,
    );
    expect(ask([grant('deny', { resourceType: 'review', resourceId: 9 })], nested).isAllowed).toBe(false);
  });

  it('says which rows of a list are left out, or added', () => {
    const flat = { links: REVIEW, params: {} };
    const denied = [
      grant('deny', { resourceId: 5 }),
      grant('deny', { resourceType: 'review', resourceId: 9 }),
    ];
    expect(ask(denied, flat)).toEqual({
      isAllowed: true,
      scope: {
        except: [
          { property: 'id', ids: [9] },
          { property: 'productId', ids: [5] },
        ],
        only: null,
      },
    });
    expect(ask([grant('allow')], { ...flat, isAllowedByRole: false })).toEqual({
      isAllowed: true,
      scope: { except: [], only: [{ property: 'productId', ids: [1] }] },
    });
    expect(ask([grant('allow', { permissions: ['update'] })], { ...flat, isAllowedByRole: false })).toEqual({
      isAllowed: false,
    });
  });

  it('gives a key no more than its owner has, and denies it what its owner is denied', () => {
    const update = { permission: 'update', isAllowedByRole: false } as const;
    const ofViewer = { ...update, principal: caller('viewer', 'api-key') };
    const ofEditor = { ...update, principal: caller('editor', 'api-key') };
    const own = grant('allow', { isOfKey: true });
    expect(ask([own], ofViewer).isAllowed).toBe(false);
    expect(ask([own, grant('allow')], ofViewer).isAllowed).toBe(true);
    expect(ask([grant('allow')], ofViewer).isAllowed).toBe(false);
    expect(ask([own], ofEditor).isAllowed).toBe(true);
    expect(ask([own, grant('deny')], ofEditor).isAllowed).toBe(false);
  });
});
