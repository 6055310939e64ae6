import { TestApp } from '../support/app.js';
import { exchange, expectError, wire } from '../support/raw-http.js';
import { startWithProduct } from '../support/start-with-product.js';

describe('a request with more headers than node:http counts', () => {
  let app: TestApp;
  let authorization: string;
  let id: number;

  beforeAll(async () => {
    ({ app, authorization, id } = await startWithProduct('editor'));
  });
  afterAll(() => app.stop());

  // Well within 16 KiB.
  const many = Array.from({ length: 2_100 }, () => 'a:');
  const patch = (last: string[]) =>
    exchange(
      app,
      wire(
        `PATCH /api/v1/products/${id}`,
        [authorization, 'Content-Type: application/json', ...many, ...last],
        '{"price":7}',
      ),
    );

  it('is judged by the last of them too: a precondition, a repeated Host', async () => {
    expectError((await patch(['If-Match: "another"'])).answer, 412, 'PRECONDITION_FAILED');
    expectError((await patch(['Host: a', 'Host: b'])).answer, 400, 'INVALID_HOST');
    expect((await patch(['If-Match: *'])).answer.status).toBe(200);
  });
});
