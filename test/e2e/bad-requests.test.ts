import { Answer } from '@plinth/dev/testing';

import { useApp, useClient } from '../support/app.js';
import {
  authorizationOf,
  Exchange,
  exchange,
  ExchangeOptions,
  expectError,
  Piece,
  wire,
} from '../support/raw-http.js';

const PRODUCTS = '/api/v1/products';
const LAMP = { name: 'Walnut desk lamp', price: 49.9, category: 'lighting' };

const app = useApp();
const admin = useClient(app, 'admin');
let authorization: string;
let id: number;

beforeAll(async () => {
  authorization = await authorizationOf(app, 'admin');
  id = ((await admin.post(PRODUCTS, LAMP)).body as { id: number }).id;
});

const raw = (pieces: Piece | Piece[], options?: ExchangeOptions): Promise<Exchange> =>
  exchange(app, pieces, options);
const post = (headers: string[], body: string | Uint8Array = ''): Promise<Exchange> =>
  raw(wire(`POST ${PRODUCTS}`, [authorization, ...headers], body));
const JSON_TYPE = 'Content-Type: application/json';

/** The faults in an error response, as `field CODE`. */
const faults = ({ body }: Answer): string[] =>
  (body as { error: { details: { field: string; code: string }[] } }).error.details.map(
    ({ field, code }) => `${field} ${code}`,
  );

describe('a body that is not a JSON object', () => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  it.each<[string, string | Uint8Array]>([
    ['a document that is cut short', '{"name":"Lamp"'],
    ['an array', '[{"name":"Lamp"}]'],
    ['null', 'null'],
    ['a string', '"Lamp"'],
    ['a number', '1'],
    [
      'bytes that are not UTF-8',
      Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
    ],
    ['an object of 21 levels', nested(21)],
    ['__proto__', '{"name":"Lamp","price":1,"category":"c","__proto__":{"role":"admin"}}'],
    ['constructor.prototype', '{"name":"Lamp","constructor":{"prototype":{"role":"admin"}}}'],
  ])('is refused with 400 INVALID_JSON: %s', async (_what, body) => {
    expectError((await post([JSON_TYPE], body)).answer, 400, 'INVALID_JSON');
  });

  it('is refused with 400 INVALID_JSON if it is empty, for each method that requires a body', async () => {
    expectError((await post([JSON_TYPE])).answer, 400, 'INVALID_JSON');
    expectError((await post([])).answer, 400, 'INVALID_JSON');
    expectError((await post([JSON_TYPE, 'Content-Length: 0'])).answer, 400, 'INVALID_JSON');
    for (const method of ['PUT', 'PATCH'] as const) {
      const { answer } = await raw(wire(`${method} ${PRODUCTS}/${id}`, [authorization, JSON_TYPE]));
      expectError(answer, 400, 'INVALID_JSON');
    }
  });

  it('is refused for more than 20 levels only: 20 levels are read and validated', async () => {
    const { answer } = await post([JSON_TYPE], nested(20));
    expectError(answer, 400, 'VALIDATION_FAILED');
    expect(faults(answer)).toContain('a UNKNOWN_FIELD');
  });

  it('is not quoted in the error message', async () => {
    const body = '{"email":"a@b.c","password":"s3cret-canary" x}';
    const { answer } = await raw(wire('POST /api/v1/login', [JSON_TYPE], body));
    expectError(answer, 400, 'INVALID_JSON');
    expect(answer.text).not.toContain('canary');
  });
});

describe('the fields of a body', () => {
  const numbers = (json: string): string => `{"name":"Lamp","category":"c","price":${json}}`;
  it.each<[string, unknown, 400 | 422, string[]]>([
    ['no fields', {}, 400, ['name REQUIRED', 'price REQUIRED', 'category REQUIRED']],
    [
      'null for required fields',
      { ...LAMP, name: null, inStock: null },
      400,
      ['name WRONG_TYPE', 'inStock WRONG_TYPE'],
    ],
    ['a field of v2', { ...LAMP, description: 'x' }, 400, ['description UNKNOWN_FIELD']],
    ['a number beyond doubles', numbers('1e400'), 422, ['price TOO_LARGE']],
    ['a name of 201 characters', { ...LAMP, name: '💡'.repeat(201) }, 422, ['name TOO_LONG']],
    ['a lone surrogate', '{"name":"a\\ud800b","price":1,"category":"c"}', 400, ['name BAD_CHARACTER']],
    [
      'faults of types and of values',
      { name: '', price: '1', category: 'c', x: 1 },
      400,
      ['x UNKNOWN_FIELD', 'name BLANK', 'price WRONG_TYPE'],
    ],
  ])('are refused with all of their faults: %s', async (_what, body, status, expected) => {
    const answer = await admin.post(PRODUCTS, body);
    expectError(answer, status, status === 400 ? 'VALIDATION_FAILED' : 'UNPROCESSABLE_ENTITY');
    expect(faults(answer).sort()).toEqual([...expected].sort());
  });

  it('are refused with 422 for a malformed e-mail of a login, without repeating the password', async () => {
    const answer = await app.anonymous.post('/api/v1/login', {
      email: 'no address',
      password: 'canary'.repeat(30),
    });
    expectError(answer, 422, 'UNPROCESSABLE_ENTITY');
    expect(faults(answer).sort()).toEqual(['email BAD_FORMAT', 'password TOO_LONG']);
    expect(answer.text).not.toContain('canary');
  });
});

describe('a query parameter', () => {
  it.each(['/api/v1/products?category=%ED%A0%80', '/api/v1/products/1?%'])(
    'is refused with 400 INVALID_QUERY if it is not UTF-8, even on a route without parameters: %s',
    async (path) => {
      const { answer } = await raw(wire(`GET ${path}`, [authorization]));
      expectError(answer, 400, 'INVALID_QUERY');
      const { error } = answer.body as { error: { message: string } };
      expect(error.message).toMatch(/^the query must be percent-encoded UTF-8/);
    },
  );
});

it.each<[string, string, number, string]>([
  ['GET', `${PRODUCTS}/abc`, 400, 'INVALID_ID'],
  ['GET', `${PRODUCTS}/1.5`, 400, 'INVALID_ID'],
  ['GET', `${PRODUCTS}/%201`, 400, 'INVALID_ID'],
  ['GET', `${PRODUCTS}/%00`, 400, 'INVALID_ID'],
  ['GET', `${PRODUCTS}/${'a'.repeat(2_000)}`, 400, 'INVALID_ID'],
  ['GET', `${PRODUCTS}/0`, 404, 'PRODUCT_NOT_FOUND'],
  ['GET', `${PRODUCTS}/9007199254740992`, 404, 'PRODUCT_NOT_FOUND'],
  ['GET', `${PRODUCTS}/9007199254740993`, 404, 'PRODUCT_NOT_FOUND'],
  ['GET', `${PRODUCTS}/${'9'.repeat(500)}`, 404, 'PRODUCT_NOT_FOUND'],
  ['DELETE', `${PRODUCTS}/99999999999`, 404, 'PRODUCT_NOT_FOUND'],
  ['GET', `${PRODUCTS}/`, 404, 'ROUTE_NOT_FOUND'],
  ['GET', `${PRODUCTS}/../../../health/live`, 404, 'ROUTE_NOT_FOUND'],
  ['GET', '/docs/nothing', 404, 'ROUTE_NOT_FOUND'],
  ['GET', '/docs/%2e%2e/package.json', 404, 'ROUTE_NOT_FOUND'],
  ['GET', '/docs/a%00b', 404, 'ROUTE_NOT_FOUND'],
  ['GET', `${PRODUCTS}/%ZZ`, 400, 'INVALID_URL'],
  ['GET', `/api/v1/%E0%A4`, 400, 'INVALID_URL'],
  ['GET', `/%`, 400, 'INVALID_URL'],
  ['TRACE', PRODUCTS, 405, 'METHOD_NOT_ALLOWED'],
  ['GET', '/login', 405, 'METHOD_NOT_ALLOWED'],
  ['DELETE', '/health/live', 405, 'METHOD_NOT_ALLOWED'],
  // `:id` matches neither of the two paths.
  ['GET', `${PRODUCTS}/batch`, 405, 'METHOD_NOT_ALLOWED'],
  ['DELETE', `${PRODUCTS}/facets?limit=1`, 405, 'METHOD_NOT_ALLOWED'],
])('answers %s %s with %i %s', async (method, path, status, code) => {
  const { answer } = await raw(wire(`${method} ${path}`, [authorization]));
  expectError(answer, status, code);
  expect(answer.headers.has('allow')).toBe(status === 405);
});

const MIB = 1024 * 1024;

/** A valid body of the given number of bytes, except for its name, which is too long. */
const bodyOf = (bytes: number): string => {
  const [head, tail] = ['{"price":1,"category":"c","name":"', '"}'];
  return head + 'x'.repeat(bytes - head.length - tail.length) + tail;
};

describe('a request that is too long', () => {
  it.each([9, 20, 200])('is refused with 414 for a URL of %i kB', async (kilobytes) => {
    const target = `${PRODUCTS}?category=${'a'.repeat(kilobytes * 1000)}`;
    const { answer } = await raw(wire(`GET ${target}`, [authorization]));
    expectError(answer, 414, 'URI_TOO_LONG');
    expect(answer.text).not.toContain('aaaa');
  });

  it('is refused with 414 for a long path, on known and unknown routes', async () => {
    for (const path of [`${PRODUCTS}/${'1'.repeat(9_000)}`, `/${'x'.repeat(9_000)}`]) {
      expectError((await raw(wire(`GET ${path}`, [authorization]))).answer, 414, 'URI_TOO_LONG');
    }
  });

  it('is read if its URL has 8 kB', async () => {
    const target = `${PRODUCTS}?category=`.padEnd(8_192, 'a');
    expectError((await raw(wire(`GET ${target}`, [authorization]))).answer, 422, 'UNPROCESSABLE_ENTITY');
  });

  it('is refused with 431 for headers of more than 16 KiB', async () => {
    for (const headers of [
      [`X-Long: ${'a'.repeat(17_000)}`],
      Array.from({ length: 400 }, (_, i) => `X-${i}: ${'a'.repeat(50)}`),
      [`${'X'.repeat(17_000)}: a`],
      [`Cookie: ${'a'.repeat(3_000_000)}`],
    ]) {
      const { answer, isClosed } = await raw(wire('GET /health/live', headers));
      expectError(answer, 431, 'HEADERS_TOO_LARGE');
      expect(isClosed).toBe(true);
    }
  });

  it('is read to its last header if it has more headers than node:http counts by default', async () => {
    const many = Array.from({ length: 2_100 }, () => 'a:');
    const get = (...last: string[]): Promise<Exchange> =>
      raw(wire(`GET ${PRODUCTS}`, [authorization, ...many, ...last]));
    expectError((await get('If-Match: "another"')).answer, 412, 'PRECONDITION_FAILED');
    expectError((await get('Host: a', 'Host: b')).answer, 400, 'INVALID_HOST');
    expect((await get('If-Match: *')).answer.status).toBe(200);
  });

  it('is refused with 413 for a body of one byte more than 1 MiB', async () => {
    const headers = [authorization, JSON_TYPE];
    const exact = await raw(wire(`POST ${PRODUCTS}`, headers, bodyOf(MIB)));
    expectError(exact.answer, 422, 'UNPROCESSABLE_ENTITY');
    const over = await raw(wire(`POST ${PRODUCTS}`, headers, bodyOf(MIB + 1)));
    expectError(over.answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  it('is refused with 413 at the same size if the body is chunked', async () => {
    const headers = [authorization, JSON_TYPE, 'Transfer-Encoding: chunked'];
    const chunked = (bytes: number): string => `${bytes.toString(16)}\r\n${bodyOf(bytes)}\r\n0\r\n\r\n`;
    const exact = await raw(wire(`POST ${PRODUCTS}`, headers, chunked(MIB)));
    expectError(exact.answer, 422, 'UNPROCESSABLE_ENTITY');
    const over = await raw(wire(`POST ${PRODUCTS}`, headers, chunked(MIB + 1)));
    expectError(over.answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  it('is refused with 413 while the client still sends the body', async () => {
    const over = await raw(wire(`POST ${PRODUCTS}`, [authorization, JSON_TYPE], bodyOf(8 * MIB)));
    expectError(over.answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  it('is refused with 413 before the client sends the body', async () => {
    const headers = [authorization, JSON_TYPE, `Content-Length: ${10 * MIB}`];
    expectError((await raw(wire(`POST ${PRODUCTS}`, headers))).answer, 413, 'PAYLOAD_TOO_LARGE');
  });
});
