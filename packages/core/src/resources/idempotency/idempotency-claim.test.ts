import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { FastifyRequest } from 'fastify';

import { readJson } from '../../http/body/json-body.js';
import { fingerprintRequest, readClaim } from './idempotency-claim.js';

/** Reads the claim of a request with the given headers. */
const claim = (headers: object, principal: object | null = null): unknown =>
  readClaim({
    headers,
    context: { principal },
    ip: '::1',
    url: '/a?b=c',
    method: 'POST',
    body: {},
  } as FastifyRequest);

describe('an Idempotency-Key', () => {
  test.each(['a', '!~', 'x'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"'])('may be %s', (key) => {
    expect(claim({ 'idempotency-key': key })).toBeDefined();
  });

  test.each(['', ' ', 'a b', 'a, b', 'x'.repeat(256), 'ä', 'a\t', '\x7f'])(
    'is refused if it is %j',
    (key) => {
      expect(() => claim({ 'idempotency-key': key })).toThrow('visible ASCII');
    },
  );

  test('is optional', () => {
    expect(claim({})).toBeUndefined();
  });
});

test('fingerprintRequest() differs for another key, method, path or body', () => {
  const body = { name: 'Lamp', price: 1 };
  const same = fingerprintRequest('k', 'POST', '/a', body);
  expect(fingerprintRequest('k', 'POST', '/a', { ...body })).toBe(same);
  const others = [
    fingerprintRequest('k', 'PUT', '/a', body),
    fingerprintRequest('k', 'POST', '/b', body),
    fingerprintRequest('k', 'POST', '/a', { ...body, price: 2 }),
    fingerprintRequest('k', 'POST', '/a', { ...body, price: '1' }),
    fingerprintRequest('k', 'POST', '/a', undefined),
  ];
  expect(fingerprintRequest('another', 'POST', '/a', body)).not.toBe(same);
  const written = ['19.99', '19.9900000000000000001', '"19.9900000000000000001"', '1e999', 'null'].map(
    (price) => fingerprintRequest('k', 'POST', '/a', readJson(Buffer.from(`{"items":[{"price":${price}}]}`))),
  );
  expect(new Set(written).size).toBe(written.length);
  expect(new Set([same, ...others]).size).toBe(1 + others.length);
});

test('fingerprintRequest() ignores the order of members, but not the order of array items', () => {
  const of = (text: string): string => fingerprintRequest('k', 'POST', '/a', readJson(Buffer.from(text)));
  const first = of(
    '{"name":"Lamp","items":[{"id":1,"price":19.9900000000000000001},{"id":2,"price":3}],"2":0,"10":0}',
  );
  expect(
    of('{"10":0,"items":[{"price":19.9900000000000000001,"id":1},{"price":3,"id":2}],"name":"Lamp","2":0}'),
  ).toBe(first);
  expect(
    of('{"name":"Lamp","items":[{"id":2,"price":3},{"id":1,"price":19.9900000000000000001}],"2":0,"10":0}'),
  ).not.toBe(first);
  const many = Array.from({ length: 12 }, (_, index) => index);
  expect(of(JSON.stringify({ many }))).not.toBe(
    of(JSON.stringify({ many: many.toSorted((a, b) => (`${a}` < `${b}` ? -1 : 1)) })),
  );
});

test('fingerprintRequest() ignores the order of members in any JSON', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
    return Object.fromEntries(entries.toReversed());
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(fingerprintRequest('k', 'POST', '/a', reversed(value))).toBe(
        fingerprintRequest('k', 'POST', '/a', value),
      );
    }),
  );
});

test('readClaim() keeps the same key of different callers apart', () => {
  const claimBy = (principal: object | null): unknown => claim({ 'idempotency-key': 'k' }, principal);
  expect(claimBy({ userId: 1 })).toMatchObject({
    caller: 'user 1',
    key: createHash('sha256').update('k').digest('base64url'),
  });
  expect(claimBy({ userId: 2 })).toMatchObject({ caller: 'user 2' });
  expect(claimBy({ kind: 'api-key', userId: 2, keyId: 2 })).toMatchObject({ caller: 'key 2' });
  expect(claimBy(null)).toMatchObject({
    caller: 'address ::1',
    fingerprint: fingerprintRequest('k', 'POST', '/a', {}),
  });
});
