import { defineError } from '../http/errors/catalogue.js';
import { namesOf } from './path-names.js';
import { ResourceOptions } from './resource.js';
import { accessOf, errorsOf, kindOf, Method, RouteShape, STATUS, summaryOf } from './route-defaults.js';

const NOT_FOUND = defineError(404, 'LAMP_NOT_FOUND', 'There is no such lamp.');
const TAKEN = defineError(409, 'LAMP_ALREADY_EXISTS', 'A lamp has this name already.');
const NO_MAKER = defineError(422, 'MAKER_NOT_FOUND', 'There is no such maker.');
const ORDERED = defineError(409, 'LAMP_HAS_ORDERS', 'A lamp with orders cannot be deleted.');

class Lamp {
  id: number;
}

const LAMPS: ResourceOptions = {
  path: 'lamps',
  version: '1',
  entity: Lamp,
  of: Lamp,
  notFound: NOT_FOUND,
  constraints: { lamps_name_key: TAKEN, lamps_maker_id_fkey: NO_MAKER, orders_lamp_id_fkey: ORDERED },
};

const OWN = [
  { name: 'lamps_name_key', properties: undefined },
  { name: 'lamps_maker_id_fkey', properties: ['makerId'] },
];

const route = (method: Method, path = '', isList = false): RouteShape => ({
  method,
  path,
  isList,
  names: namesOf(LAMPS, path),
});

test.each<[RouteShape, string, number, string]>([
  [route('GET', '', true), 'list', 200, 'List lamps'],
  [route('GET', ':id'), 'resource', 200, 'Read a lamp'],
  [route('POST'), 'resource', 201, 'Create a lamp'],
  [route('PUT', ':id'), 'resource', 200, 'Replace a lamp'],
  [route('PATCH', ':id'), 'resource', 200, 'Change some fields of a lamp'],
  [route('DELETE', ':id'), 'nothing', 204, 'Delete a lamp'],
])('%j answers with %s and %i: %s', (shape, kind, status, summary) => {
  expect(kindOf(shape)).toBe(kind);
  expect(STATUS[shape.method]).toBe(status);
  expect(summaryOf(LAMPS, shape)).toBe(summary);
});

test.each<[Partial<ResourceOptions>, RouteShape, string]>([
  [{ path: 'makers/:id/lamps' }, route('GET', '', true), 'List the lamps of a maker'],
  [{ path: 'makers/:id/lamps' }, route('PUT', ':lampId'), 'Replace a lamp of a maker'],
  [{ path: 'users/:id/orders/:orderId/items' }, route('GET', ':itemId'), 'Read an item of an order'],
  [{ path: 'shelves/:id/boxes' }, route('GET', ':boxId'), 'Read a box of a shelf'],
  [{ path: 'api-keys' }, route('POST'), 'Create an api key'],
  [{ path: 'lamps', collection: 'lights' }, route('DELETE', ':id'), 'Delete a light'],
])('%j %j: %s', (options, shape, summary) => {
  expect(summaryOf({ ...LAMPS, ...options }, shape)).toBe(summary);
});

describe('access', () => {
  test.each<[Method, string]>([
    ['GET', 'read'],
    ['POST', 'create'],
    ['PUT', 'update'],
    ['PATCH', 'update'],
    ['DELETE', 'delete'],
  ])('%s needs the permission %s', (method, permission) => {
    expect(accessOf(LAMPS, route(method))).toEqual({
      isPublic: false,
      permission,
      isOpenToAnonymousRole: false,
      isForStaff: false,
      own: undefined,
    });
  });

  test('is what the resource says, for what it says it of', () => {
    const access = {
      read: { anonymous: true },
      update: { permission: 'manage_users', orSelf: 'id' },
    } as const;
    const options = { ...LAMPS, access };
    expect(accessOf(options, route('GET'))).toMatchObject({
      permission: 'read',
      isOpenToAnonymousRole: true,
    });
    expect(accessOf(options, route('PATCH'))).toMatchObject({
      permission: 'manage_users',
      isOpenToAnonymousRole: false,
      own: { by: 'path', parameter: 'id' },
    });
    expect(accessOf(options, route('DELETE'))).toMatchObject({ permission: 'delete', own: undefined });
  });
});

describe('E8 errors', () => {
  test.each<[RouteShape, readonly string[], string[]]>([
    [route('GET', '', true), [], []],
    [route('GET', ':id'), [], ['LAMP_NOT_FOUND']],
    [route('POST'), ['name'], ['LAMP_ALREADY_EXISTS', 'MAKER_NOT_FOUND']],
    [route('PUT', ':id'), ['name'], ['LAMP_NOT_FOUND', 'LAMP_ALREADY_EXISTS']],
    [
      route('PATCH', ':id'),
      ['name', 'makerId'],
      ['LAMP_NOT_FOUND', 'LAMP_ALREADY_EXISTS', 'MAKER_NOT_FOUND'],
    ],
    [route('DELETE', ':id'), [], ['LAMP_NOT_FOUND', 'LAMP_HAS_ORDERS']],
  ])('%j with a body of %j: %j', (shape, written, codes) => {
    expect(errorsOf(LAMPS, shape, OWN, written).map(({ code }) => code)).toEqual(codes);
  });
});
