import fc from 'fast-check';

import { TestApp } from '../support/app.js';
import { exchange, expectEnvelope, wire } from '../support/raw-http.js';
import { startWithProduct } from '../support/start-with-product.js';

const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';

let app: TestApp;
let authorization: string;
let id: number;

beforeAll(async () => {
  ({ app, authorization, id } = await startWithProduct('admin'));
});
afterAll(() => app.stop());

describe('the service, sent arbitrary input', () => {
  const settle = async (request: Uint8Array): Promise<void> => {
    const { answer } = await exchange(app, request);
    expect(answer.status).toBeGreaterThanOrEqual(200);
    expect(answer.status).toBeLessThan(500);
    if (answer.status >= 400) expectEnvelope(answer);
  };
  const RUNS = { numRuns: 60 };
  const nasty = fc.constantFrom('\u0000', 'a\u0000b', '\ud800', '%', "'; --", '\u202e', 'NaN', '1e400', '-0');
  const value = fc.oneof(
    fc.jsonValue(),
    // Arbitrary UTF-16 code units: fast-check's own strings first build a table of all code points.
    fc.uint16Array().map((units) => String.fromCharCode(...units)),
    fc.double(),
    nasty,
    fc.maxSafeInteger(),
  );
  const field = fc.constantFrom(...'name price category inStock id rating createdAt toString'.split(' '));

  it('does not fail for any body', async () => {
    const body = fc.oneof(
      fc.dictionary(field, value).map((fields) => JSON.stringify(fields)),
      fc.json(),
      fc.uint8Array({ maxLength: 200 }),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom('POST', 'PUT', 'PATCH'), (bytes, method) =>
        settle(
          wire(
            `${method} ${PRODUCTS}${method === 'POST' ? '' : `/${id}`}`,
            [authorization, JSON_TYPE],
            bytes,
          ),
        ),
      ),
      RUNS,
    );
  });

  it('does not fail for any query', async () => {
    const name = fc.oneof(
      fc.constantFrom('page', 'limit', 'sort', 'cursor', 'category', 'inStock', 'minPrice'),
      fc.string(),
    );
    const part = fc.oneof(
      fc.integer().map(String),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('true', 'price:asc', '1e9'),
      nasty,
    );
    const encoded = fc
      .array(fc.tuple(name, part), { maxLength: 4 })
      .map((pairs) => new URLSearchParams(pairs).toString());
    const bare = fc.stringMatching(/^[!-~]{0,60}$/);
    await fc.assert(
      fc.asyncProperty(fc.oneof(encoded, bare), (query) =>
        settle(wire(`GET ${PRODUCTS}?${query}`, [authorization])),
      ),
      RUNS,
    );
  });

  it('does not fail for any path', async () => {
    const segment = fc.oneof(
      fc.stringMatching(/^[!-~]{0,30}$/),
      fc.string({ unit: 'grapheme' }).map(encodeURIComponent),
      fc.bigInt().map(String),
    );
    const prefix = fc.constantFrom('/', '/api/', '/api/v1/', `${PRODUCTS}/`, '/docs/', '/health/');
    await fc.assert(
      fc.asyncProperty(prefix, segment, (path, last) => settle(wire(`GET ${path}${last}`, [authorization]))),
      RUNS,
    );
  });

  it('does not fail for any header', async () => {
    const names =
      'Accept Authorization Content-Type Cookie Expect If-Match If-None-Match If-Modified-Since If-Unmodified-Since ' +
      'Origin Range X-API-Key X-Forwarded-For X-Request-Id Transfer-Encoding Content-Length Upgrade Connection';
    const text = fc.oneof(
      fc.stringMatching(/^[ -~\u0080-\u00ff]{0,80}$/),
      fc.constantFrom('*', 'W/"1"', '"1", *', 'Bearer a.b.c', 'bytes=0-1', 'chunked'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names.split(' ')),
        text,
        fc.constantFrom('GET', 'DELETE'),
        (name, header, method) =>
          settle(wire(`${method} ${PRODUCTS}/99999999`, [authorization, `${name}: ${header}`])),
      ),
      RUNS,
    );
  });
});
