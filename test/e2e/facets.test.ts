import { useApp, useClient } from '../support/app.js';
import { listingIn, listPath } from '../support/lists.js';
import { createProduct, errorOf, faultsOf, Product, uniqueCategory } from '../support/products.js';
import { headersOf } from '../support/schemes.js';

const PATH = '/api/v1/products/facets';

interface Facets {
  readonly category: { value: string | null; count: number }[];
  readonly inStock: { value: boolean; count: number }[];
  readonly price: { min: number | null; max: number | null };
}

/** The facets, computed from all matching rows. */
function facetsOf(rows: readonly Product[]): Facets {
  const countsOf = <T>(values: readonly T[]): { value: T; count: number }[] =>
    [...new Set(values)].map((value) => ({ value, count: values.filter((other) => other === value).length }));
  const prices = rows.map(({ price }) => price).sort((a, b) => a - b);
  return {
    category: countsOf(rows.map(({ category }) => category)),
    inStock: countsOf(rows.map(({ inStock }) => inStock)),
    price: { min: prices[0] ?? null, max: prices.at(-1) ?? null },
  };
}

describe('facets', () => {
  const app = useApp();
  const admin = useClient(app, 'admin');
  const [oak, ash] = [uniqueCategory('oak'), uniqueCategory('ash')];
  /** A word that no other test searches for. */
  const word = uniqueCategory('facets').replace(' ', '');

  beforeAll(() =>
    app.query(
      `insert into products (name, price, category, in_stock, created_at)
       select $1 || case when i % 2 = 0 then ' lamp' else ' chair' end, i + 0.99,
              case i % 4 when 0 then $2 when 1 then $3 when 2 then $3 end, i % 5 > 0, '2020-01-01T00:00:00Z'::timestamptz + i * interval '1 day'
       from generate_series(1, 60) i`,
      [word, oak, ash],
    ),
  );

  it.each<[string, object]>([
    ['no filter', {}],
    ['a category', { category: oak }],
    ['products in stock', { inStock: true }],
    ['a range of prices', { minPrice: 10, maxPrice: 20.98 }],
    ['a range of times', { createdFrom: '2020-01-05T00:00:00Z', createdBefore: '2020-02-01T00:00:00Z' }],
    ['words', { q: `${word} lam` }],
    ['all of these', { q: `${word} lamp`, category: ash, inStock: true, minPrice: 30 }],
    ['a filter that selects nothing', { maxPrice: 0.5 }],
  ])('count exactly the rows that filters and q select: %s', async (_, parameters) => {
    const asked = { q: word, ...parameters };
    const { data } = listingIn(await admin.get(listPath({ ...asked, limit: 100 })));
    const answer = await admin.get(listPath(asked, PATH));
    const { category, inStock, price } = answer.body as Facets;
    const expected = facetsOf(data);
    for (const [shown, counted] of [
      [category, expected.category],
      [inStock, expected.inStock],
    ] as const) {
      expect(new Set<object>(shown)).toEqual(new Set<object>(counted));
      expect(shown.map(({ count }) => count)).toEqual(
        shown.map(({ count }) => count).toSorted((a, b) => b - a),
      );
    }
    expect(price).toEqual(expected.price);
    expect((await admin.get(listPath(asked, PATH.replace('v1', 'v2')))).text).toBe(answer.text);
  });

  it('count only what the caller may see', async () => {
    const category = uniqueCategory('unseen');
    const { product } = await createProduct(admin, { category, price: 1 });
    await createProduct(admin, { category, price: 2 });
    const viewer = await app.user('viewer');
    await admin.post('/api/v1/access-grants', {
      ...{ resourceType: 'product', resourceId: product.id, userId: viewer.id },
      ...{ permissions: ['read'], effect: 'deny' },
    });
    const path = listPath({ category }, PATH);
    const client = app.anonymous.with((await headersOf(app, viewer, ['read'])).bearer);
    const shown = { category: [{ value: category, count: 1 }], inStock: [{ value: true, count: 1 }] };
    expect((await client.get(path)).body).toEqual({ ...shown, price: { min: 2, max: 2 } });
    expect(((await admin.get(path)).body as Facets).price).toEqual({ min: 1, max: 2 });
    expect(errorOf(await app.anonymous.get(path))).toBe('401 AUTHENTICATION_REQUIRED');
  });

  it('show the thousand most frequent values', async () => {
    await app.query(
      `insert into products (name, price, category) select $1::text, 1, $1 || ' ' || i % 1005 from generate_series(1, 1006) i`,
      [`${word}many`],
    );
    const { category, inStock } = (await admin.get(listPath({ q: `${word}many` }, PATH))).body as Facets;
    expect(category).toHaveLength(1000);
    expect(category.slice(0, 2)).toEqual([
      { value: `${word}many 1`, count: 2 },
      { value: expect.any(String), count: 1 },
    ]);
    expect(inStock).toEqual([{ value: true, count: 1006 }]);
  });

  it('are answered with 304 until they change', async () => {
    const category = uniqueCategory('cached');
    await createProduct(admin, { category, price: 1 });
    const path = listPath({ category }, PATH);
    const { headers } = await admin.get(path);
    expect(errorOf(await admin.get(path, { accept: 'text/csv' }))).toBe('406 NOT_ACCEPTABLE');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect([headers.get('link'), headers.get('last-modified')]).toEqual([null, null]);
    const condition = { 'if-none-match': headers.get('etag')! };
    for (const method of ['GET', 'HEAD'])
      expect((await admin.request(method, path, { headers: condition })).status).toBe(304);
    await createProduct(admin, { category, price: 1 });
    expect((await admin.get(path, condition)).status).toBe(200);
  });

  it.each([
    ['page=1', '400 INVALID_QUERY', 'page UNKNOWN_FIELD'],
    ['limit=5', '400 INVALID_QUERY', 'limit UNKNOWN_FIELD'],
    ['cursor=', '400 INVALID_QUERY', 'cursor UNKNOWN_FIELD'],
    ['sort=price:asc', '400 INVALID_QUERY', 'sort UNKNOWN_FIELD'],
    ['colour=red', '400 INVALID_QUERY', 'colour UNKNOWN_FIELD'],
    ['minPrice=2&maxPrice=1', '422 UNPROCESSABLE_ENTITY', 'minPrice TOO_LARGE'],
    ['q=', '422 UNPROCESSABLE_ENTITY', 'q TOO_SHORT'],
  ])('refuse %s with %s', async (query, error, fault) => {
    const answer = await admin.get(`${PATH}?${query}`);
    expect([errorOf(answer), ...faultsOf(answer)]).toEqual([error, fault]);
  });
});
