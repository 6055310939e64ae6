import { ApiError, apiKey, isError, isErrorOf } from '../../../client/dist/esm/index.js';
import { each, equal, ok, rejection } from './assert.mjs';

/** Tests of reading: lists, single resources, the cache, versions, errors. */
export const tests = {
  'for await reads a whole list in its order': async ({ asAdmin, newProduct, unique }) => {
    const { client, sent } = asAdmin();
    const category = unique('walk');
    const prices = [5, 3, 9, 1, 7];
    for (const price of prices) await newProduct(client, { category, price });
    const seen = [];
    for await (const { price } of client.products.list({ category, sort: ['price:asc'], limit: 2 }))
      seen.push(price);
    equal(seen, [1, 3, 5, 7, 9]);
    const pages = sent.filter(({ method }) => method === 'GET');
    equal(pages.length, 3, 'the number of pages');
    equal(
      each(
        await client.products
          .list({ category: [category, unique('none')], sort: 'price:desc' })
          .toArray({ max: 2 }),
        'price',
      ),
      [9, 7],
    );
  },

  'a list resolves to its first page, and returns any other page by number or cursor (G3)': async ({
    asAdmin,
    newProduct,
    unique,
  }) => {
    const { client } = asAdmin();
    const category = unique('pages');
    for (const price of [1, 2, 3]) await newProduct(client, { category, price });
    const list = client.products.list({ category, sort: 'price:asc', limit: 2 });
    const { data, pagination, etag } = await list;
    equal(each(data, 'price'), [1, 2]);
    equal(pagination, { page: 1, limit: 2, total: 3, totalPages: 2 });
    ok(etag, 'a page has an ETag');
    equal(each((await list.page(2)).data, 'price'), [3]);
    const first = await list.after();
    equal(first.pagination.hasMore, true);
    const last = await list.after(first.pagination.nextCursor);
    equal(last.pagination, { nextCursor: null, hasMore: false });
    equal(each(last.data, 'price'), [3]);
  },

  'pages() continues after a failure, and returns each page once': async ({
    asAdmin,
    newProduct,
    unique,
    fault,
  }) => {
    const { client } = asAdmin();
    const category = unique('scroll');
    for (const price of [1, 2, 3]) await newProduct(client, { category, price });
    const query = { category, sort: 'price:asc', limit: 2 };
    const pages = client.products.list(query, { headers: fault('page') }).pages();
    ok((await rejection(pages.next())) instanceof ApiError, 'the first attempt fails');
    const asked = await Promise.all([pages.next(), pages.next(), pages.next()]);
    equal(
      asked.map(({ done, value }) => [done, value?.data.map(({ price }) => price)]),
      [
        [false, [1, 2]],
        [false, [3]],
        [true, undefined],
      ],
    );
  },

  'a resource is revalidated with its ETag, and a 304 is returned as the cached data': async ({
    asAdmin,
    newProduct,
  }) => {
    const { client, sent } = asAdmin();
    const { id, name } = await newProduct(client);
    const first = await client.products.get(id);
    first.data.name = 'changed by the caller';
    const second = await client.products.get(id);
    equal([second.status, second.data.name, second.etag], [200, name, first.etag]);
    equal(sent.at(-1).status, 304, 'the second status');
    await client.products.patch(id, { price: 11 });
    equal((await client.products.get(id)).data.price, 11);
    equal(sent.at(-1).status, 200, 'the status after a write');
  },

  'without a cache, every read reaches the server, even in a browser with its own cache': async ({
    asAdmin,
    newProduct,
  }) => {
    const { client, sent } = asAdmin({ cache: false });
    const { id } = await newProduct(client);
    await client.products.get(id);
    // Writes at another URL, so that the browser does not notice the change.
    await asAdmin({ version: 'v2' }).client.products.patch(id, { price: 20 });
    equal((await client.products.get(id)).data.price, 20);
    ok(!sent.some(({ headers }) => headers.has('if-none-match')), 'no request is conditional');
  },

  'a client can use either version of the API': async ({ asAdmin, newProduct }) => {
    const { id } = await newProduct(asAdmin().client);
    const v2 = await asAdmin({ version: 'v2' }).client.products.get(id);
    equal([v2.data.currency, v2.data.reviewCount, v2.data.description], ['USD', 0, null]);
    ok(!('currency' in (await asAdmin().client.products.get(id)).data), 'v1 has no currency');
  },

  'an error has its code, status, details and operation (G1)': async ({ asAdmin }) => {
    const { client } = asAdmin();
    const error = await rejection(client.products.create({ name: ' ', price: -1, category: 'lighting' }));
    ok(error instanceof ApiError && error instanceof Error, 'it is an ApiError');
    equal([error.code, error.status, error.operation], ['UNPROCESSABLE_ENTITY', 422, 'products.create']);
    equal(error.details.map(({ field, code }) => `${field} ${code}`).sort(), [
      'name BLANK',
      'price TOO_SMALL',
    ]);
    ok(error.requestId, 'it has the id of the request');
    ok(
      isError(error) &&
        isError(error, 'UNPROCESSABLE_ENTITY') &&
        isError(error, 'NOT_ACCEPTABLE', error.code),
      'isError',
    );
    ok(
      !isError(error, 'PRODUCT_NOT_FOUND') && !isError(new Error('other')),
      'isError is false for other codes and other errors',
    );
    ok(
      isErrorOf(error, 'products.create') && !isErrorOf(error, 'orders.create'),
      'isErrorOf is true only for the operation',
    );
    const missing = await rejection(client.products.get(999_999_999));
    equal([missing.code, missing.status, missing.details], ['PRODUCT_NOT_FOUND', 404, []]);
  },

  'an HTML page instead of a response is an error, not data': async ({ asAdmin, newProduct, fault }) => {
    const { client } = asAdmin();
    const { id } = await newProduct(client);
    const options = { headers: fault('page', 9) };
    for (const work of [
      () => client.products.get(id, options),
      () => client.products.list({}, options),
      () => client.products.list({}, options).toArray(),
      () => client.products.delete(id, options),
    ]) {
      const error = await rejection(work());
      equal([error.name, error.code, error.status], ['ApiError', 'HTTP_200', 200]);
      ok(error.message.includes('text/html'), error.message);
    }
    const { client: visitor } = asAdmin(options);
    equal(
      (await rejection(visitor.users.me())).operation,
      'login',
      'the operation of a login whose response is a page',
    );
  },

  'a redirect is not followed with credentials': async ({ recorded, fault }) => {
    const { client, sent } = recorded({ auth: apiKey('key') });
    const error = await rejection(client.products.get(1, { headers: fault('moved', 9) }));
    // Browsers hide the status of a redirect.
    ok(['HTTP_307', 'HTTP_0'].includes(error.code), String(error));
    equal(sent.length, 1, 'the number of requests');
  },

  'a missing id, or a filter without values, sends no request': async ({ asAdmin }) => {
    const { client, sent } = asAdmin();
    const error = await rejection(client.products.get(undefined));
    ok(
      error instanceof TypeError && error.message.includes('products.get: id must be an id (got undefined)'),
      String(error),
    );
    // Ids may be strings from the address of a page.
    for (const path of [
      () => client.orders.getOfUser(1, '..'),
      () => client.products.delete('.'),
      () => client.request('GET', '.example.com/'),
      () => client.products.list({ id: [] }),
      () => client.products.facets({ category: [] }),
    ]) {
      const refused = await rejection(path());
      ok(refused instanceof TypeError, String(refused));
    }
    equal(sent.length, 0);
  },
};
