import { createHash, randomBytes } from 'node:crypto';

import fc from 'fast-check';
import { FastifyRequest } from 'fastify';

import { readJson } from '../../http/body/json-body.js';
import { readClaim, fingerprintRequest, seal, unseal } from './idempotency-store.js';

const key = randomBytes(32);

describe('a sealed text', () => {
  test('is opened with its key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(unseal(seal(text, key), key)).toBe(text);
      }),
    );
  });

  test('does not reveal its content, nor that two texts are equal', () => {
    const sealed = seal('a secret', key);
    expect(sealed.toString('latin1')).not.toContain('secret');
    expect(seal('a secret', key)).not.toEqual(sealed);
  });

  test('is not opened with another key, nor after a change', () => {
    const sealed = seal('a secret', key);
    expect(() => unseal(sealed, randomBytes(32))).toThrow();
    sealed[sealed.length - 1]! ^= 1;
    expect(() => unseal(sealed, key)).toThrow();
  });
});

/** The claim of a request with the given headers. */
const claim = (headers: object, principal: object | null = null): unknown =>
  readClaim({
    headers,
    context: { principal },
    ip: '::1',
    url: '/a?b=c',
    method: 'POST',
    body: {},
  } as FastifyRequest);

describe('an idempotency key', () => {
  test.each(['a', '!~', 'x'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"'])('accepts %s', (key) => {
    expect(claim({ 'idempotency-key': key })).toBeDefined();
  });

  test.each(['', ' ', 'a b', 'a, b', 'x'.repeat(256), 'ä', 'a\t', '\x7f'])('refuses %j', (key) => {
    expect(() => claim({ 'idempotency-key': key })).toThrow('visible ASCII');
  });

  test('is optional', () => {
    expect(claim({})).toBeUndefined();
  });
});

test('gives requests with another method, path or body another fingerprint', () => {
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

test('gives bodies whose members differ only in order the same fingerprint, but not items in another order', () => {
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

test('gives any JSON a fingerprint that does not depend on the order of its members', () => {
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

test('gives requests of different callers different claims', () => {
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
