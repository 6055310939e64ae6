import { PRODUCT } from '../../packages/core/src/config/product.js';
import { TestApp } from '../support/app.js';
import { Exchange, exchange, expectError, wire } from '../support/raw-http.js';
import { startWithProduct } from '../support/start-with-product.js';

const PRODUCTS = '/api/v1/products';

let app: TestApp;
let authorization: string;
let id: number;

beforeAll(async () => {
  ({ app, authorization, id } = await startWithProduct('admin'));
});
afterAll(() => app.stop());

const raw = (request: Uint8Array): Promise<Exchange> => exchange(app, request);

describe('the media type of a body', () => {
  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'text/plain; application/json',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/json, text/plain',
    'application/json; charset=iso-8859-1',
    'application/json; charset="utf-16"',
    'json',
    '',
  ])('is refused with 415 if it is not JSON: %p', async (type) => {
    const { answer } = await raw(
      wire(`POST ${PRODUCTS}`, [authorization, `Content-Type: ${type}`], '{"name":"a"}'),
    );
    expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('is refused with 415 if it is missing', async () => {
    const { answer } = await raw(wire(`POST ${PRODUCTS}`, [authorization], '{"name":"a"}'));
    expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(answer.text).toContain('The Content-Type must be application/json, or end in +json (got none).');
  });

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/merge-patch+json',
    `application/vnd.${PRODUCT.slug}.v1+json`,
  ])('is accepted if it is %s', async (type) => {
    const { answer } = await raw(
      wire(`PATCH ${PRODUCTS}/${id}`, [authorization, `Content-Type: ${type}`], '{}'),
    );
    expect(answer.status).toBe(200);
  });

  it('may be sent with a DELETE without a body', async () => {
    const type = 'Content-Type: application/json';
    for (const headers of [[type], [type, 'Content-Length: 0']]) {
      const { answer } = await raw(wire(`DELETE ${PRODUCTS}/99999999`, [authorization, ...headers]));
      expectError(answer, 404, 'PRODUCT_NOT_FOUND');
    }
  });
});
