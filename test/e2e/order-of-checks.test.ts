import { Answer } from '@plinth/dev/testing';

import { startApp, TestApp, useApp } from '../support/app.js';
import { createProduct } from '../support/products.js';
import { authorizationOf, exchange, expectError, wire } from '../support/raw-http.js';

const PRODUCTS = '/api/v1/products';
const NOBODY = `${PRODUCTS}/99999999`;
const JSON_TYPE = 'Content-Type: application/json';
const BAD_JSON = '{';
const BAD_TYPE = '{"price":"12"}';
const BAD_VALUE = '{"price":-1}';
const STALE = 'If-Match: "stale"';

type Request = [requestLine: string, headers?: string[], body?: string];

describe('the order of checks', () => {
  const app = useApp();
  let admin: string;
  let viewer: string;
  let existing: string;

  const send = async (...[line, headers = [], body = '']: Request): Promise<Answer> =>
    (await exchange(app, wire(line, headers, body))).answer;

  beforeAll(async () => {
    admin = await authorizationOf(app, 'admin');
    viewer = await authorizationOf(app, 'viewer');
    existing = (await createProduct(await app.as('editor'))).path;
  });

  describe('a request without credentials', () => {
    it.each<[string, () => Request]>([
      ['403', () => [`DELETE ${NOBODY}`]],
      ['400 for a body that is no JSON', () => [`POST ${PRODUCTS}`, [JSON_TYPE], BAD_JSON]],
      ['400 for wrong types', () => [`POST ${PRODUCTS}`, [JSON_TYPE], BAD_TYPE]],
      ['413', () => [`POST ${PRODUCTS}`, [JSON_TYPE, `Content-Length: ${2 ** 30}`]]],
      ['415', () => [`POST ${PRODUCTS}`, ['Content-Type: text/plain'], 'text']],
      ['422', () => [`PATCH ${existing}`, [JSON_TYPE], BAD_VALUE]],
      ['400 for an invalid id', () => [`GET ${PRODUCTS}/abc`]],
      ['400 for an invalid query', () => [`GET ${PRODUCTS}?limit=abc`]],
      ['404', () => [`GET ${NOBODY}`]],
      ['412', () => [`PATCH ${existing}`, [JSON_TYPE, STALE], '{}']],
    ])('is answered with 401 before %s', async (_what, request) => {
      const answer = await send(...request());
      expectError(answer, 401, 'AUTHENTICATION_REQUIRED');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+"/);
      const [line, headers = [], body] = request();
      const forged = await send(line, [...headers, 'Authorization: Bearer a.b.c'], body);
      expectError(forged, 401, 'INVALID_TOKEN');
      expect(forged.headers.get('www-authenticate')).toContain('error="invalid_token"');
    });

    it('is answered with 401 before its body arrives', async () => {
      const head = wire(`POST ${PRODUCTS}`, [JSON_TYPE, 'Content-Length: 1000']);
      const { answer } = await exchange(app, head);
      // If the service waited for the body, it would answer 408.
      expectError(answer, 401, 'AUTHENTICATION_REQUIRED');
    });
  });

  it.each<[string, () => Request]>([
    ['400 for a body that is no JSON', () => [`POST ${PRODUCTS}`, [JSON_TYPE], BAD_JSON]],
    ['413', () => [`POST ${PRODUCTS}`, [JSON_TYPE, `Content-Length: ${2 ** 30}`]]],
    ['415', () => [`POST ${PRODUCTS}`, ['Content-Type: text/plain'], 'text']],
    ['422', () => [`PATCH ${existing}`, [JSON_TYPE], BAD_VALUE]],
    ['400 for an invalid id', () => [`DELETE ${PRODUCTS}/abc`]],
    ['404', () => [`DELETE ${NOBODY}`]],
    ['412', () => [`DELETE ${existing}`, [STALE]]],
    ['the body', () => [`POST ${PRODUCTS}`, [JSON_TYPE, 'Content-Length: 1000']]],
  ])('answers 403 by the role before %s', async (_what, request) => {
    const [line, headers = [], body] = request();
    const answer = await send(line, [viewer, ...headers], body);
    expectError(answer, 403, 'PERMISSION_DENIED');
    expect(answer.text).toMatch(/\b(create|update|delete)\b/);
  });

  it.each<[string, () => Request, number, string]>([
    [
      '415 before 400',
      () => [`POST ${PRODUCTS}`, ['Content-Type: text/plain'], BAD_JSON],
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      '413 before 400',
      () => [`POST ${PRODUCTS}`, [JSON_TYPE], BAD_JSON.padEnd(2 ** 20 + 1)],
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['400 for JSON before 404', () => [`PUT ${NOBODY}`, [JSON_TYPE], BAD_JSON], 400, 'INVALID_JSON'],
    [
      '415 before 404',
      () => [`PUT ${NOBODY}`, ['Content-Type: text/plain'], 'text'],
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      '400 for wrong types before 404',
      () => [`PATCH ${NOBODY}`, [JSON_TYPE], BAD_TYPE],
      400,
      'VALIDATION_FAILED',
    ],
    ['422 before 404', () => [`PATCH ${NOBODY}`, [JSON_TYPE], BAD_VALUE], 422, 'UNPROCESSABLE_ENTITY'],
    [
      '412 after all other checks',
      () => [`PATCH ${existing}`, [JSON_TYPE, STALE], '{"price":1}'],
      412,
      'PRECONDITION_FAILED',
    ],
  ])('answers %s', async (_what, request, status, code) => {
    const [line, headers = [], body] = request();
    expectError(await send(line, [admin, ...headers], body), status, code);
  });

  it('ignores credentials on public routes, even invalid ones', async () => {
    const { email, password } = await app.user('viewer');
    const body = JSON.stringify({ email, password });
    for (const credentials of ['Bearer a.b.c', 'Basic %%%', 'Nonsense', '']) {
      const headers = [`Authorization: ${credentials}`, 'X-API-Key: bad', 'Cookie: session_id=bad'];
      expect((await send('POST /api/v1/login', [JSON_TYPE, ...headers], body)).status).toBe(200);
      expect((await send('GET /health/live', headers)).status).toBe(200);
      expect((await send('GET /docs/openapi.json', headers)).status).toBe(200);
    }
  });

  it('answers unknown paths and methods before it checks credentials, because they are not secret', async () => {
    expectError(await send('GET /api/v1/nothing'), 404, 'ROUTE_NOT_FOUND');
    expectError(await send(`PUT ${PRODUCTS}`, [JSON_TYPE], BAD_JSON), 405, 'METHOD_NOT_ALLOWED');
  });

  describe('with a limit on requests', () => {
    let limited: TestApp;
    const LIMIT = 12;
    beforeEach(async () => {
      limited = await startApp({ RATE_LIMIT: String(LIMIT) });
    });
    afterEach(() => limited.stop());
    const left = async (...[line, headers = [], body = '']: Request): Promise<[number, string | null]> => {
      const { answer } = await exchange(limited, wire(line, headers, body));
      return [answer.status, answer.headers.get('x-ratelimit-remaining')];
    };

    it('counts requests that find nothing, are not JSON, or lack credentials or a permission', async () => {
      const caller = await authorizationOf(limited, 'viewer');
      expect(await left('GET /nothing', [caller])).toEqual([404, '10']);
      expect(await left(`PUT ${PRODUCTS}`)).toEqual([405, '9']);
      expect(await left(`POST /api/v1/login`, [JSON_TYPE], BAD_JSON)).toEqual([400, '8']);
      expect(await left(`POST /api/v1/login`, ['Content-Type: text/plain'], 'x')).toEqual([415, '7']);
      expect(await left(`GET ${PRODUCTS}`)).toEqual([401, '6']);
      expect(await left(`GET ${PRODUCTS}`, ['Authorization: Bearer a.b.c'])).toEqual([401, '5']);
      expect(await left(`DELETE ${NOBODY}`, [caller])).toEqual([403, '11']);
      expect(await left(`GET ${NOBODY}`, [caller])).toEqual([404, '10']);
    });

    it('answers 429 before 403 and later checks, and instead of 401, 404 and 405', async () => {
      const caller = await authorizationOf(limited, 'viewer');
      for (let i = 0; i < LIMIT; i++) await left(`GET ${PRODUCTS}`, [caller]);
      expect(await left(`DELETE ${NOBODY}`, [caller])).toEqual([429, '0']);
      expect(await left(`POST ${PRODUCTS}`, [caller, JSON_TYPE], BAD_JSON)).toEqual([429, '0']);
      for (let i = 0; i < LIMIT; i++) await left('GET /nothing');
      expect(await left('GET /nothing')).toEqual([429, '0']);
      expect(await left(`PUT ${PRODUCTS}`)).toEqual([429, '0']);
      expect(await left(`GET ${PRODUCTS}`)).toEqual([429, '0']);
      expect(await left('POST /api/v1/login', [JSON_TYPE], BAD_JSON)).toEqual([429, '0']);
    });
  });
});
