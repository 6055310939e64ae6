import { PRODUCT } from '../../packages/core/src/config/product.js';
import { TestApp } from '../support/app.js';
import { Exchange, exchange, ExchangeOptions, expectError, Piece, wire } from '../support/raw-http.js';
import { startWithProduct } from '../support/start-with-product.js';

const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';

let app: TestApp;
let authorization: string;
let asViewer: string;
let id: number;

beforeAll(async () => {
  ({ app, authorization, id } = await startWithProduct('admin'));
  const { email, password } = await app.user('viewer');
  asViewer = `Authorization: Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
});
afterAll(() => app.stop());

const raw = (pieces: Piece | Piece[], options?: ExchangeOptions): Promise<Exchange> =>
  exchange(app, pieces, options);

describe('a request that is not valid HTTP', () => {
  it.each<[string, string | Uint8Array]>([
    ['plain text', 'hello\r\n\r\n'],
    ['an unknown version', 'GET /health/live HTTP/9.7\r\nHost: a\r\n\r\n'],
    ['an unknown method', 'BREW /health/live HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a method in lower case', 'get /health/live HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the target', 'GET /health/li ve HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a target without slash', 'GET health/live HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a NUL in the target', 'GET /health/\u0000 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header without colon', 'GET /health/live HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'],
    ['a space before the colon', 'GET /health/live HTTP/1.1\r\nHost: a\r\nAccept : a\r\n\r\n'],
    ['a NUL in a header', 'GET /health/live HTTP/1.1\r\nHost: a\r\nAccept: a\u0000b\r\n\r\n'],
    ['a control character in a header', 'GET /health/live HTTP/1.1\r\nHost: a\r\nAccept: a\u0007b\r\n\r\n'],
    ['a bare CR in a header', 'GET /health/live HTTP/1.1\r\nHost: a\r\nAccept: a\rb\r\n\r\n'],
    ['an empty header name', 'GET /health/live HTTP/1.1\r\nHost: a\r\n: a\r\n\r\n'],
    ['a folded header', 'GET /health/live HTTP/1.1\r\nHost: a\r\nAccept: a\r\n b\r\n\r\n'],
    ['a TLS hello', Buffer.from('16030100c8010000c40303', 'hex')],
    ['HTTP/2 over plain text', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('is answered with 400 and the end of the connection: %s', async (_what, request) => {
    const { answer, isClosed } = await raw(request);
    expectError(answer, 400, 'BAD_REQUEST');
    expect(isClosed).toBe(true);
  });

  it.each<[string, string[], string]>([
    ['a negative Content-Length', ['Content-Length: -1'], ''],
    ['a Content-Length that is not a number', ['Content-Length: 1e1'], ''],
    ['two Content-Lengths', ['Content-Length: 2', 'Content-Length: 3'], '{}'],
    [
      'Content-Length and Transfer-Encoding',
      ['Content-Length: 2', 'Transfer-Encoding: chunked'],
      '2\r\n{}\r\n0\r\n\r\n',
    ],
    [
      'Transfer-Encoding that does not end in chunked',
      ['Transfer-Encoding: chunked, gzip'],
      '2\r\n{}\r\n0\r\n\r\n',
    ],
    ['malformed chunks', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', ['Transfer-Encoding: chunked'], '1\r\n{}\r\n0\r\n\r\n'],
    ['a negative chunk', ['Transfer-Encoding: chunked'], '-2\r\n{}\r\n0\r\n\r\n'],
  ])('is answered with 400 and the end of the connection for its body: %s', async (_what, headers, body) => {
    const { answer, isClosed } = await raw(
      wire(`POST ${PRODUCTS}`, [authorization, JSON_TYPE, ...headers], body),
    );
    expectError(answer, 400, 'BAD_REQUEST');
    expect(isClosed).toBe(true);
  });

  it('begins where the announced length of a body ends', async () => {
    const headers = [authorization, JSON_TYPE, 'Content-Length: 2'];
    const { responses } = await raw(wire(`POST ${PRODUCTS}`, headers, '{}{}'), { responses: 2 });
    expectError(responses[0]!, 400, 'VALIDATION_FAILED');
    expectError(responses[1]!, 400, 'BAD_REQUEST');
  });
});

describe('the Authorization header', () => {
  it.each(['Authorization: Basic YTpi', 'AUTHORIZATION: Bearer x', 'authorization: '])(
    'is refused with 400 if it is sent twice: %s',
    async (second) => {
      const { answer } = await raw(wire(`GET ${PRODUCTS}`, [authorization, second]));
      expectError(answer, 400, 'BAD_REQUEST');
    },
  );

  it('is accepted if it is sent once', async () => {
    expect((await raw(wire(`GET ${PRODUCTS}`, [authorization]))).answer.status).toBe(200);
  });
});

describe('the Host header', () => {
  it.each<[string, string]>([
    ['missing', 'GET /health/live HTTP/1.1\r\n\r\n'],
    ['missing, with the version too', 'GET /health/live\r\n\r\n'],
    ['repeated', 'GET /health/live HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n'],
    ['repeated in other case', 'GET /health/live HTTP/1.1\r\nHost: a\r\nHOST: b\r\n\r\n'],
    ['repeated in HTTP/1.0', 'GET /health/live HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['with a path', 'GET /health/live HTTP/1.1\r\nHost: a/b\r\n\r\n'],
    ['with a user name', 'GET /health/live HTTP/1.1\r\nHost: u@a\r\n\r\n'],
    ['with a space', 'GET /health/live HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['with a bad port', 'GET /health/live HTTP/1.1\r\nHost: a:b\r\n\r\n'],
    ['missing, for an unknown path', 'GET /nothing HTTP/1.1\r\n\r\n'],
    ['missing, for a malformed path', 'GET /%ZZ HTTP/1.1\r\n\r\n'],
  ])('is refused with 400 if it is %s', async (what, request) => {
    expectError(
      (await raw(request)).answer,
      400,
      what.endsWith('malformed path') ? 'INVALID_URL' : 'INVALID_HOST',
    );
  });

  it.each(['example.com', 'example.com:8080', '127.0.0.1', '[::1]:3000', 'localhost:', ''])(
    'may be "%s"',
    async (host) => {
      expect((await raw(`GET /health/live HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).answer.status).toBe(200);
    },
  );

  it('may be missing in HTTP/1.0', async () => {
    expect((await raw('GET /health/live HTTP/1.0\r\n\r\n')).answer.status).toBe(200);
  });
});

describe('the server', () => {
  it('answers Expect: 100-continue, and refuses any other Expect with 417', async () => {
    const headers = [authorization, JSON_TYPE, 'Content-Length: 2'];
    const head = wire(`POST ${PRODUCTS}`, [...headers, 'Expect: 100-continue']);
    const { interim, answer } = await raw([head, 50, '{}']);
    expect(interim).toEqual([100]);
    expectError(answer, 400, 'VALIDATION_FAILED');
    const unknown = await raw(wire(`POST ${PRODUCTS}`, [...headers, 'Expect: 200-ok'], '{}'));
    expectError(unknown.answer, 417, 'EXPECTATION_FAILED');
  });

  it.each<[string, () => string[], number, string]>([
    ['without credentials', () => [JSON_TYPE, 'Content-Length: 2'], 401, 'AUTHENTICATION_REQUIRED'],
    ['without the permission', () => [asViewer, JSON_TYPE, 'Content-Length: 2'], 403, 'PERMISSION_DENIED'],
    ['too large', () => [authorization, JSON_TYPE, 'Content-Length: 2000000'], 413, 'PAYLOAD_TOO_LARGE'],
    [
      'compressed',
      () => [authorization, JSON_TYPE, 'Content-Length: 2', 'Content-Encoding: gzip'],
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
  ])('sends no 100 for a body that is refused unread: %s', async (_, headersOf, status, code) => {
    const headers = [...headersOf(), 'Expect: 100-continue'];
    const { answer, interim } = await raw(wire(`POST ${PRODUCTS}`, headers));
    expectError(answer, status, code);
    expect(interim).toEqual([]);
  });

  it('sends no 100 to HTTP/1.0, nor for a request without a body', async () => {
    const body = '{}';
    const old = `POST ${PRODUCTS} HTTP/1.0\r\nHost: a\r\n${authorization}\r\n${JSON_TYPE}\r\nContent-Length: 2\r\n`;
    const toOld = await raw(`${old}Expect: 100-continue\r\n\r\n${body}`);
    expectError(toOld.answer, 400, 'VALIDATION_FAILED');
    const read = await raw(wire(`GET ${PRODUCTS}/${id}`, [authorization, 'Expect: 100-continue']));
    expect([toOld.interim, read.interim, read.answer.status]).toEqual([[], [], 200]);
  });

  it('serves a target in absolute form by its path', async () => {
    const { answer } = await raw(wire(`GET http://localhost${PRODUCTS}/${id}`, [authorization]));
    expect(answer.status).toBe(200);
    const open = await raw(wire('GET http://localhost/health/live'));
    expect(open.answer.status).toBe(200);
    const anonymous = await raw(wire(`GET http://localhost${PRODUCTS}/${id}`));
    expectError(anonymous.answer, 401, 'AUTHENTICATION_REQUIRED');
    expectError((await raw(wire(`GET http://localhost/nothing`))).answer, 404, 'ROUTE_NOT_FOUND');
  });

  it('does not repeat the host of a target in absolute form', async () => {
    const foreign = 'http://evil.example';
    const lamp = JSON.stringify({ name: 'Lamp', price: 1, category: 'c' });
    for (const path of [PRODUCTS, '/api/products']) {
      const created = await raw(wire(`POST ${foreign}${path}`, [authorization, JSON_TYPE], lamp));
      expect(created.answer.status).toBe(201);
      expect(created.answer.headers.get('location')).toMatch(/^\/api\/v1\/products\/\d+$/);
      const list = await raw(wire(`GET ${foreign}${path}?limit=1`, [authorization]));
      expect(list.answer.status).toBe(200);
      expect(list.answer.headers.get('link')).toMatch(/^<\/api\/v1\/products\?/);
      expect(JSON.stringify([...created.answer.headers, ...list.answer.headers])).not.toContain('evil');
    }
    const accept = `Accept: application/vnd.${PRODUCT.slug}.v2+json`;
    const v2 = await raw(wire(`GET ${foreign}/api/products/${id}`, [authorization, accept]));
    expect(v2.answer.body).toMatchObject({ id, currency: 'USD' });
    for (const target of [
      'ftp://a/api/v1/products',
      'http://u@a/api/v1/products',
      'http:///api/v1/products',
    ]) {
      const { answer } = await raw(wire(`GET ${target}`, [authorization]));
      expect([400, 404]).toContain(answer.status);
    }
  });

  it('opens nothing for CONNECT and Upgrade', async () => {
    for (const target of ['localhost:80', PRODUCTS])
      expectError((await raw(wire(`CONNECT ${target}`))).answer, 400, 'BAD_REQUEST');
    const upgrade = await raw(wire('GET /health/live', ['Connection: Upgrade', 'Upgrade: websocket']));
    expect([200, 0]).toContain(upgrade.answer.status);
  });

  it('answers pipelined requests in their order, errors included', async () => {
    const get = (path: string): Uint8Array => wire(`GET ${path}`, [authorization]);
    const bad = wire(`POST ${PRODUCTS}`, [authorization, JSON_TYPE], '{}');
    const all = Buffer.concat([
      get(`${PRODUCTS}/${id}`),
      get(`${PRODUCTS}/abc`),
      bad,
      get('/%ZZ'),
      get(PRODUCTS),
    ]);
    const { responses } = await raw(all, { responses: 5 });
    expect(responses.map(({ status }) => status)).toEqual([200, 400, 400, 400, 200]);
    expectError(responses[2]!, 400, 'VALIDATION_FAILED');
    expectError(responses[3]!, 400, 'INVALID_URL');
  });

  it('answers the requests before a malformed one first', async () => {
    const lamp = JSON.stringify({ name: 'Pipelined', price: 1, category: 'c' });
    const create = wire(`POST ${PRODUCTS}`, [authorization, JSON_TYPE], lamp);
    const get = wire(`GET ${PRODUCTS}/${id}`, [authorization]);
    const all = Buffer.concat([create, get, Buffer.from('nonsense\r\n\r\n')]);
    const { responses, isClosed } = await raw(all, { responses: 3 });
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 400]);
    expectError(responses[2]!, 400, 'BAD_REQUEST');
    expect(isClosed).toBe(true);
  });
});
