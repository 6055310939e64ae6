import { Answer, Client, eventually } from '@plinth/dev/testing';

import { useApp, useClient } from '../support/app.js';
import { createProduct, errorOf, faultsOf, Product, uniqueCategory } from '../support/products.js';
import { headersOf } from '../support/schemes.js';

const PRODUCTS = '/api/v1/products';
const apart = { atomic: false };

interface Result {
  readonly status: number;
  readonly etag?: string;
  readonly location?: string;
  readonly body?: Product;
  readonly error?: { readonly code: string };
}

const newProduct = (values: object = {}): object => ({
  name: 'Shelf',
  price: 10,
  category: 'batch',
  ...values,
});
const create = (values?: object): object => ({ method: 'create', body: newProduct(values) });
const update = (id: number, body: object = {}, ifMatch?: string): object => ({
  ...{ method: 'update', id, body, ifMatch },
});
const remove = (id: number, ifMatch?: string): object => ({ method: 'delete', id, ifMatch });

function resultsOf(answer: Answer): Result[] {
  if (answer.status !== 200) throw new Error(answer.text);
  return (answer.body as { results: Result[] }).results;
}
const statusesOf = (answer: Answer): string[] =>
  resultsOf(answer).map(({ status, error }) => [status, error?.code].filter(Boolean).join(' '));

describe('a batch of products', () => {
  const app = useApp();
  const admin = useClient(app, 'admin');

  const send = (operations: readonly unknown[], others: object = {}, by: Client = admin, path = PRODUCTS) =>
    by.post(`${path}/batch`, { operations, ...others });
  const made = async (): Promise<number> => (await createProduct(admin)).product.id;
  const priceOf = async (id: number): Promise<unknown> =>
    ((await admin.get(`${PRODUCTS}/${id}`)).body as Partial<Product>).price;
  const countIn = async (category: string): Promise<unknown> =>
    (await app.query('select count(*)::int as n from products where category = $1', [category]))[0]?.['n'];

  it('answers its operations in order, each like a single request', async () => {
    const [changed, gone] = [await made(), await made()];
    const results = resultsOf(await send([create(), update(changed, { price: 7 }), remove(gone)]));
    const location = results[0]?.location ?? '';
    const read = async (path: string): Promise<object> => {
      const { body, headers } = await admin.get(path);
      return { body, etag: headers.get('etag') };
    };
    expect(results).toEqual([
      {
        status: 201,
        location: expect.stringMatching(/^\/api\/v1\/products\/\d+$/),
        ...(await read(location)),
      },
      { status: 200, ...(await read(`${PRODUCTS}/${changed}`)) },
      { status: 204 },
    ]);
    expect([await priceOf(changed), await priceOf(gone)]).toEqual([7, undefined]);
  });

  it('uses the version of its path', async () => {
    const operation = create({ description: 'Oiled.' });
    const [result] = resultsOf(await send([operation], {}, admin, '/api/v2/products'));
    expect(result?.body).toMatchObject({ description: 'Oiled.', currency: 'USD', reviewCount: 0 });
    expect(result?.location).toMatch(/^\/api\/v2\/products\/\d+$/);
    expect(faultsOf(await send([operation]))).toEqual(['operations.0.description UNKNOWN_FIELD']);
  });

  it('checks the If-Match of each operation', async () => {
    const { product, etag } = await createProduct(admin);
    const { id } = product;
    const operations = [
      update(id, { price: 1 }, etag),
      update(id, {}, etag),
      remove(id, '"x"'),
      update(id, {}, '*'),
    ];
    const answer = await send(operations, apart);
    expect(statusesOf(answer)).toEqual(['200', '412 PRECONDITION_FAILED', '412 PRECONDITION_FAILED', '200']);
    expect(await priceOf(id)).toBe(1);
  });

  it('is undone as a whole by the first fault of an operation', async () => {
    const category = uniqueCategory('undone');
    const id = await made();
    const faults: [object, string, string[]][] = [
      [create({ price: -1 }), '422 UNPROCESSABLE_ENTITY', ['operations.2.price TOO_SMALL']],
      [create({ price: '1' }), '400 VALIDATION_FAILED', ['operations.2.price WRONG_TYPE']],
      [update(2 ** 31 - 1), '404 PRODUCT_NOT_FOUND', []],
      [remove(id, '"x"'), '412 PRECONDITION_FAILED', []],
    ];
    for (const [operation, error, details] of faults) {
      const before = [create({ category }), update(id, { price: 3 })];
      const answer = await send([...before, operation, create({ price: 'later' })]);
      expect([errorOf(answer), faultsOf(answer)]).toEqual([error, details]);
      expect(answer.text).toContain('operations.2');
    }
    // Each operation sees the writes of those before it.
    expect(errorOf(await send([remove(id), update(id, { price: 1 })]))).toBe('404 PRODUCT_NOT_FOUND');
    expect([await countIn(category), await priceOf(id)]).toEqual([0, 10]);
  });

  it('has a result for each operation if it is not atomic, each error like that of a single request', async () => {
    const category = uniqueCategory('apart');
    const id = await made();
    const wrong = { category, price: 0.001 };
    const operations = [create(wrong), create({ category }), update(id, { price: 4 }), remove(2 ** 31 - 1)];
    const answer = await send(operations, apart);
    expect(statusesOf(answer)).toEqual(['422 UNPROCESSABLE_ENTITY', '201', '200', '404 PRODUCT_NOT_FOUND']);
    const { status, body } = await admin.post(PRODUCTS, newProduct(wrong));
    expect(resultsOf(answer)[0]).toEqual({ status, ...(body as object) });
    expect([await countIn(category), await priceOf(id)]).toEqual([1, 4]);
  });

  it.each([0, -1, 2 ** 31, 2 ** 53, 1e30])(
    'answers an id that no row can have like a single request: %d',
    async (id) => {
      const alone = [
        await admin.patch(`${PRODUCTS}/${BigInt(id)}`, { price: 1 }),
        await admin.delete(`${PRODUCTS}/${BigInt(id)}`),
      ];
      const operations = [update(id, { price: 1 }), remove(id)];
      expect(alone.map(errorOf)).toEqual(['404 PRODUCT_NOT_FOUND', '404 PRODUCT_NOT_FOUND']);
      expect(resultsOf(await send(operations, apart))).toEqual(
        alone.map(({ status, body }) => ({ status, ...(body as object) })),
      );
      for (const operation of operations)
        expect(errorOf(await send([create(), operation]))).toBe('404 PRODUCT_NOT_FOUND');
    },
  );

  it('is refused as a whole if it is malformed, and per operation if an operation is malformed', async () => {
    const batches: [object, string[]][] = [
      [{}, ['operations REQUIRED']],
      [{ operations: [] }, ['operations TOO_FEW']],
      [{ operations: Array(101).fill(remove(1)) }, ['operations TOO_MANY']],
      [{ operations: [1], atomic: 1 }, ['atomic WRONG_TYPE', 'operations WRONG_TYPE']],
      [{ operations: 'x' }, ['operations WRONG_TYPE']],
    ];
    for (const [body, faults] of batches)
      for (const others of [{}, apart])
        expect(faultsOf(await admin.post(`${PRODUCTS}/batch`, { ...others, ...body })).toSorted()).toEqual(
          faults,
        );
    const operations: [object, string[]][] = [
      [{}, ['method REQUIRED']],
      [{ method: ['create'] }, ['method WRONG_TYPE']],
      [{ method: 'constructor' }, ['method NOT_ALLOWED']],
      [{ method: 'update' }, ['body REQUIRED', 'id REQUIRED']],
      [{ ...create(), id: 1, to: 1 }, ['id UNKNOWN_FIELD', 'to UNKNOWN_FIELD']],
      [{ ...remove(1), id: '1', body: {} }, ['body UNKNOWN_FIELD', 'id WRONG_TYPE']],
      [remove(1.5), ['id WRONG_TYPE']],
      [{ ...create(), body: [] }, ['body WRONG_TYPE']],
    ];
    const results = resultsOf(
      await send(
        operations.map(([operation]) => operation),
        apart,
      ),
    );
    for (const [index, [operation, faults]] of operations.entries()) {
      expect(faultsOf({ body: results[index] }).toSorted()).toEqual(faults);
      const placed = faults.map((fault) => `operations.0.${fault}`);
      expect(faultsOf(await send([operation])).toSorted()).toEqual(placed);
    }
  });

  it('is refused before its body is read if the caller may perform none of its operations', async () => {
    const post = (client: Client): Promise<Answer> => client.post(`${PRODUCTS}/batch`, 'no JSON');
    expect(errorOf(await post(app.anonymous))).toBe('401 AUTHENTICATION_REQUIRED');
    expect(errorOf(await post(await app.as('viewer')))).toBe('403 PERMISSION_DENIED');
  });

  it('checks the permission of each operation before its body and its row', async () => {
    const editor = await app.as('editor');
    const key = app.anonymous.with((await headersOf(app, await app.user('admin'), ['delete']))['api-key']);
    const id = await made();
    expect(errorOf(await send([update(id, { price: 5 }), remove(id)], {}, editor))).toBe(
      '403 PERMISSION_DENIED',
    );
    const refused = '403 PERMISSION_DENIED';
    const answer = await send([update(id, { price: 5 }), remove(id), remove(2 ** 31 - 1)], apart, editor);
    expect(statusesOf(answer)).toEqual(['200', refused, refused]);
    const ofKey = await send([create({ price: 'x' }), update(id), remove(id)], apart, key);
    expect(statusesOf(ofKey)).toEqual([refused, refused, '204']);
  });

  it('checks the grants of each row', async () => {
    const user = await app.user('viewer');
    const client = app.anonymous.with((await headersOf(app, user, ['read'])).bearer);
    const [mine, other, hidden] = [await made(), await made(), await made()];
    const grant = (resourceId: number, permission: string, effect: string): Promise<Answer> => {
      const permissions = [permission];
      const values = { resourceType: 'product', resourceId, userId: user.id, permissions, effect };
      return admin.post('/api/v1/access-grants', values);
    };
    await grant(hidden, 'read', 'deny');
    await grant(hidden, 'update', 'allow');
    await grant(mine, 'update', 'allow');
    const operations = [update(mine, { price: 6 }), update(other), update(hidden), remove(mine), create()];
    await eventually(async () => (await send(operations, apart, client)).status, 200, 1_000);
    const answer = await send(operations, apart, client);
    expect(statusesOf(answer)).toEqual(['200', ...Array<string>(4).fill('403 PERMISSION_DENIED')]);
    for (const [id, status] of [
      [mine, 200],
      [other, 403],
      [hidden, 403],
    ] as const)
      expect((await client.patch(`${PRODUCTS}/${id}`, {})).status).toBe(status);
    expect(await priceOf(mine)).toBe(6);
  });
});
