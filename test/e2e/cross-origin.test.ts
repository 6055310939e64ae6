import { Answer } from '@plinth/dev/testing';

import { startApp, TestApp } from '../support/app.js';
import { exchange, expectError, wire } from '../support/raw-http.js';

const PRODUCTS = '/api/v1/products';
const ALLOWED = 'https://app.example.com';
const ALSO_ALLOWED = 'http://localhost:5173';
const EXPOSED = [
  'Content-Disposition',
  'ETag',
  'Last-Modified',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
  'Idempotency-Replayed',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Deprecation',
  'Sunset',
  'WWW-Authenticate',
];

let app: TestApp;
const send = async (line: string, headers: string[] = []): Promise<Answer> =>
  (await exchange(app, wire(line, headers))).answer;
const corsOf = ({ headers }: Answer): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));
const list = (text: string | null): string[] =>
  (text ?? '').split(/\s*,\s*/).map((name) => name.toLowerCase());

describe('another origin, by default', () => {
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.stop());

  it('may read no response, and send only simple requests', async () => {
    const preflight = [`Origin: ${ALLOWED}`, 'Access-Control-Request-Method: PUT'];
    for (const answer of [
      await send(`GET ${PRODUCTS}`, [`Origin: ${ALLOWED}`]),
      await send('GET /health/live', [`Origin: ${ALLOWED}`]),
      await send(`OPTIONS ${PRODUCTS}/1`, preflight),
      await send('POST /login', ['Origin: null']),
    ]) {
      expect(corsOf(answer)).toEqual([]);
    }
  });
});

describe('the origins of CORS_ORIGINS', () => {
  beforeAll(async () => {
    app = await startApp({ CORS_ORIGINS: `${ALLOWED}, ${ALSO_ALLOWED}`, RATE_LIMIT: '1000' });
  });
  afterAll(() => app.stop());

  const preflight = (path: string, origin: string, method: string, headers = ''): Promise<Answer> =>
    send(`OPTIONS ${path}`, [
      `Origin: ${origin}`,
      `Access-Control-Request-Method: ${method}`,
      ...(headers ? [`Access-Control-Request-Headers: ${headers}`] : []),
    ]);

  it.each(['PUT', 'PATCH', 'DELETE', 'POST', 'GET'])(
    'may send %s with the headers that it needs',
    async (method) => {
      const names =
        'authorization,content-type,if-match,if-none-match,if-unmodified-since,idempotency-key,x-api-key';
      for (const origin of [ALLOWED, ALSO_ALLOWED]) {
        const answer = await preflight(`${PRODUCTS}/1`, origin, method, names);
        expect([answer.status, answer.text]).toEqual([204, '']);
        const { headers } = answer;
        expect(headers.get('ratelimit-policy')).toBe('"default";q=1000;w=60');
        expect(headers.get('ratelimit')).toBe('"default";r=1000;t=60');
        expect(headers.get('access-control-allow-origin')).toBe(origin);
        expect(headers.get('access-control-allow-credentials')).toBe('true');
        expect(list(headers.get('access-control-allow-methods'))).toContain(method.toLowerCase());
        for (const name of names.split(',')) {
          expect(list(headers.get('access-control-allow-headers'))).toContain(name);
        }
        expect(list(headers.get('vary'))).toContain('origin');
        expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
      }
    },
  );

  it('may read successes, refusals and responses to unknown paths', async () => {
    const viewer = await app.as('viewer');
    const origin = { origin: ALLOWED };
    for (const [answer, status] of [
      [await viewer.get(PRODUCTS, origin), 200],
      [await viewer.get(`${PRODUCTS}/99999999`, origin), 404],
      [await viewer.get(`${PRODUCTS}?limit=abc`, origin), 400],
      [await viewer.delete(`${PRODUCTS}/1`, origin), 403],
      [await app.anonymous.get(PRODUCTS, origin), 401],
      [await app.anonymous.get('/nothing', origin), 404],
      [await app.anonymous.put(PRODUCTS, {}, origin), 405],
    ] as const) {
      const { headers } = answer;
      expect(answer.status).toBe(status);
      expect(headers.get('access-control-allow-origin')).toBe(ALLOWED);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(list(headers.get('access-control-expose-headers')).sort()).toEqual(list(EXPOSED.join()).sort());
      expect(list(headers.get('vary'))).toContain('origin');
    }
  });

  it.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://APP.example.com',
    'null',
  ])('do not include %s', async (origin) => {
    for (const answer of [
      await send(`GET ${PRODUCTS}`, [`Origin: ${origin}`]),
      await preflight(`${PRODUCTS}/1`, origin, 'PUT'),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(list(answer.headers.get('vary'))).toContain('origin');
      expect(answer.status).toBeLessThan(500);
    }
  });

  it('get the usual responses to OPTIONS, unknown paths and other methods', async () => {
    for (const headers of [[], ['Origin: https://evil.example'], [`Origin: ${ALLOWED}`]]) {
      const options = await send(`OPTIONS ${PRODUCTS}`, headers);
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
      const { headers: ofOne } = await send(`OPTIONS ${PRODUCTS}/1`, headers);
      expect(ofOne.get('accept-patch')).toBe('application/merge-patch+json, application/json');
      expect(ofOne.get('ratelimit')).not.toBe('"default";r=1000;t=60');
      const twice = ['Authorization: a', 'Authorization: b', ...headers];
      expectError(await send(`OPTIONS ${PRODUCTS}`, twice), 400, 'BAD_REQUEST');
      expectError(await send('OPTIONS /nothing', headers), 404, 'ROUTE_NOT_FOUND');
      expectError(await send('GET /nothing', headers), 404, 'ROUTE_NOT_FOUND');
      const refused = await send(`DELETE ${PRODUCTS}`, headers);
      expectError(refused, 405, 'METHOD_NOT_ALLOWED');
      expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    }
  });
});

describe('security headers', () => {
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.stop());

  it.each([
    ['GET', PRODUCTS, 401],
    ['GET', '/nothing', 404],
    ['GET', '/%ZZ', 400],
    ['PUT', PRODUCTS, 405],
    ['GET', '/health/live', 200],
    ['GET', '/docs/openapi.json', 200],
    ['OPTIONS', PRODUCTS, 204],
  ])('are on %s %s', async (method, path, status) => {
    const { headers, status: got } = await send(`${method} ${path}`);
    expect(got).toBe(status);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src '");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toMatch(/^(deny|sameorigin)$/i);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
    expect(headers.get('strict-transport-security')).toBeNull();
  });
});
