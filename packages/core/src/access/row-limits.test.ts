import { defineAccess } from '../config/define-access.js';
import { Principal } from './principal.js';
import {
  ALL_ROWS,
  limitedProperties,
  registerRows,
  resolveRowLimit,
  rowsOf,
  type RowsCaller,
} from './row-limits.js';

class Ticket {
  id: number;
}
class Comment {
  id: number;
}

const CALLER: Principal = {
  ...{ kind: 'user', userId: 7, keyId: null, loginId: null, scheme: 'basic' },
  ...{ role: 'member' as Principal['role'], permissions: new Set(), attributes: { companyId: 3 } },
};

const declare = (...attributes: readonly string[]): unknown =>
  defineAccess({
    permissions: ['read', 'manage_users'],
    roles: {
      admin: { permissions: ['read', 'manage_users'], isStaff: true },
      member: { permissions: ['read'] },
    },
    administratorRole: 'admin',
    anonymousRoles: ['member'],
    grantedResources: [],
    attributes,
  });

beforeEach(() => {
  declare('companyId');
});

const tickets = (rows: unknown) => ({ path: 'tickets', entity: Ticket, rows });

describe('resolveRowLimit()', () => {
  const LIMITS: readonly (readonly [returned: unknown, limit: unknown])[] = [
    [ALL_ROWS, null],
    [{ companyId: 3 }, [[{ property: 'companyId', ids: [3] }]]],
    [{ companyId: null }, [[{ property: 'companyId', ids: [] }]]],
    [{ companyId: [1, null, 2] }, [[{ property: 'companyId', ids: [1, 2] }]]],
    [{ companyId: [] }, [[{ property: 'companyId', ids: [] }]]],
    [
      { companyId: 3, isOpen: true },
      [
        [
          { property: 'companyId', ids: [3] },
          { property: 'isOpen', ids: [true] },
        ],
      ],
    ],
  ];

  it.each(LIMITS)('turns %j into %j', (returned, limit) => {
    expect(
      resolveRowLimit(
        tickets(() => returned),
        CALLER,
      ),
    ).toEqual(limit);
  });

  it.each([
    undefined,
    null,
    {},
    [],
    5,
    'all',
    true,
    { companyId: undefined },
    { companyId: [3, undefined] },
    { companyId: {} },
  ])('refuses %p, so that no mistake opens all rows', (returned) => {
    const message = 'tickets: `rows` must return ALL_ROWS, or a value or null for at least one property';
    expect(() =>
      resolveRowLimit(
        tickets(() => returned),
        CALLER,
      ),
    ).toThrow(message);
  });

  it('passes the caller with the attributes and whether the role is a staff role', () => {
    let seen: RowsCaller | undefined;
    const rows = ({ caller }: { caller: RowsCaller }) => {
      seen = caller;
      return ALL_ROWS;
    };
    resolveRowLimit(tickets(rows), CALLER);
    expect(seen).toMatchObject({ userId: 7, role: 'member', isStaff: false, attributes: { companyId: 3 } });
    resolveRowLimit(tickets(rows), null);
    expect(seen).toMatchObject({ userId: null, role: null, isStaff: false, attributes: { companyId: null } });
  });

  it('refuses a caller whose attributes are not known', () => {
    const { attributes: _, ...unknown } = CALLER;
    expect(() =>
      resolveRowLimit(
        tickets(() => ALL_ROWS),
        unknown,
      ),
    ).toThrow('attributes of the caller are not known');
  });

  it('needs no attributes if the application declares none', () => {
    declare();
    const { attributes: _, ...caller } = CALLER;
    const rows = ({ caller: { userId } }: { caller: RowsCaller }) => ({ requesterId: userId });
    expect(resolveRowLimit(tickets(rows), caller)).toEqual([[{ property: 'requesterId', ids: [7] }]]);
  });

  it('joins parents, and selects all rows if all parents are', () => {
    const parent = tickets(({ caller }: { caller: RowsCaller }) =>
      caller.isStaff ? ALL_ROWS : { companyId: caller.attributes['companyId'] },
    );
    const rows = rowsOf(parent as never, 'ticketId');
    const comments = { path: 'comments', entity: Comment, rows };
    const anyOf = [[{ property: 'companyId', ids: [3] }]];
    expect(resolveRowLimit(comments, CALLER)).toEqual([
      [{ property: 'ticketId', parent: { entity: Ticket, anyOf } }],
    ]);
    expect(resolveRowLimit(comments, { ...CALLER, role: 'admin' as Principal['role'] })).toBeNull();
  });
});

describe('limitedProperties()', () => {
  it('returns each set of properties that a role is limited by once', () => {
    const rows = ({ caller }: { caller: RowsCaller }) =>
      caller.isStaff ? { regionId: 1 } : { companyId: caller.attributes['companyId'], regionId: 1 };
    expect(limitedProperties(tickets(rows))).toEqual([['regionId'], ['companyId', 'regionId']]);
    expect(limitedProperties(tickets(() => ({ regionId: 1 })))).toEqual([['regionId']]);
    expect(limitedProperties(tickets(() => ALL_ROWS))).toEqual([]);
  });

  it('refuses rows that are faulty for one role', () => {
    const rows = ({ caller }: { caller: RowsCaller }) => (caller.isStaff ? ALL_ROWS : undefined);
    expect(() => limitedProperties(tickets(rows))).toThrow('for the role member');
  });
});

it('registerRows() refuses two declarations for one entity', () => {
  registerRows(tickets(() => ALL_ROWS));
  expect(() => registerRows({ ...tickets(() => ALL_ROWS), path: 'old-tickets' })).toThrow(
    'old-tickets: must have the same `rows` as tickets',
  );
});
