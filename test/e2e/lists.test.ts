import { Client } from '@plinth/dev/testing';

import { startApp, TestApp } from '../support/app.js';
import { idsOf, linksOf, listingIn, listPath } from '../support/lists.js';
import { createProduct, errorOf, faultsOf, uniqueCategory } from '../support/products.js';

describe('lists', () => {
  let app: TestApp;
  let admin: Client;
  const category = uniqueCategory('lists');
  /** Ids of twelve products with the prices 1 to 12. Those with even prices are not in stock. */
  let ids: number[];

  beforeAll(async () => {
    app = await startApp();
    admin = await app.as('admin');
    const rows = await app.query<{ id: number }>(
      `insert into products (name, price, category, in_stock, rating)
       select 'P' || n, n, $1, n % 2 = 1, case when n <= 4 then n end from generate_series(1, 12) n returning id`,
      [category],
    );
    ids = rows.map(({ id }) => id);
  });
  afterAll(() => app.stop());

  const list = async (parameters: object, path?: string): Promise<ReturnType<typeof listingIn>> =>
    listingIn(await admin.get(listPath({ category, ...parameters }, path)));
  const shown = async (parameters: object): Promise<number[]> =>
    idsOf(await list({ sort: 'price:asc', limit: 100, ...parameters })).map((id) => ids.indexOf(id) + 1);

  describe('filters', () => {
    it.each<[object, number[]]>([
      [{ inStock: true }, [1, 3, 5, 7, 9, 11]],
      [{ inStock: false, maxPrice: 5 }, [2, 4]],
      [{ minPrice: 10 }, [10, 11, 12]],
      [{ minPrice: '10.01' }, [11, 12]],
      [{ maxPrice: '1.00' }, [1]],
      [{ minPrice: 3, maxPrice: 5 }, [3, 4, 5]],
      [{ minPrice: 4, maxPrice: 4 }, [4]],
      [{ minPrice: '4.001', maxPrice: '4.999' }, []],
      [{ minPrice: 0, maxPrice: '99999999999999999999' }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
      [{ category: `${category}_` }, []],
      [{ category: '%' }, []],
      [{ category: category.toUpperCase() }, []],
    ])('select rows by %j', async (parameters, expected) => {
      expect(await shown(parameters)).toEqual(expected);
      const { pagination } = await list({ ...parameters, limit: 1 });
      expect(pagination.total).toBe(expected.length);
    });

    it('accept any of several values, in pages and links', async () => {
      const others = [uniqueCategory('second'), uniqueCategory('third')];
      for (const own of others) await createProduct(admin, { price: 20, category: own });
      const query = [category, others[0]!, others[0]!]
        .map((own) => `category=${encodeURIComponent(own)}`)
        .join('&');
      const path = `/api/v1/products?${query}&sort=price:desc&limit=5`;
      const { data, pagination } = listingIn(await admin.get(path));
      expect([data.map(({ price }) => price), pagination.total]).toEqual([[20, 12, 11, 10, 9], 13]);
      let next: string | undefined = `${path}&cursor=`;
      const walked: number[] = [];
      for (let answer; next; next = linksOf(answer.headers)['next']) {
        answer = await admin.get(next);
        walked.push(...listingIn(answer).data.map(({ price }) => price));
      }
      expect(walked).toEqual([20, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
      const some = [ids[3], 999_999_999_999, ids[1], ids[3]].map((id) => `id=${id}`).join('&');
      const found = listingIn(await admin.get(`/api/v2/products?${some}`));
      expect([idsOf(found), found.pagination.total]).toEqual([[ids[3], ids[1]], 2]);
    });

    it('include the start of a range of times, and exclude its end', async () => {
      await app.query(
        `update products set created_at = timestamptz '2026-01-01' + price::int * interval '1 ms' where id = any($1)`,
        [ids],
      );
      const at = (ms: number): string => `2026-01-01T00:00:00.00${ms}Z`;
      expect(await shown({ createdFrom: at(3), createdBefore: at(6) })).toEqual([3, 4, 5]);
      expect(await shown({ createdFrom: '2026-01-01T02:00:00.011+02:00' })).toEqual([11, 12]);
      expect(await shown({ createdFrom: at(3), createdBefore: at(3) })).toEqual([]);
      expect(await shown({ minRating: 3 })).toEqual([3, 4]);
    });

    it('compare prices as decimals', async () => {
      const own = uniqueCategory('decimals');
      for (const price of [0.1, 0.3, 9999999999.99]) await createProduct(admin, { price, category: own });
      const prices = async (parameters: object): Promise<number[]> =>
        (await list({ category: own, sort: 'price:asc', ...parameters })).data.map(({ price }) => price);
      expect(await prices({ minPrice: '0.30' })).toEqual([0.3, 9999999999.99]);
      expect(await prices({ maxPrice: '0.29999999999999999999' })).toEqual([0.1]);
      expect(await prices({ minPrice: '9999999999.99' })).toEqual([9999999999.99]);
      expect(await prices({ minPrice: '9999999999.991' })).toEqual([]);
    });

    it('match characters that URLs escape', async () => {
      const own = `${uniqueCategory('50% & more')} + ü 🪔 "'<>#?/=;_\\`;
      const { product } = await createProduct(admin, { category: own });
      const answer = await admin.get(listPath({ category: own, limit: 1, page: 1 }));
      expect(idsOf(listingIn(answer))).toEqual([product.id]);
      const { first } = linksOf(answer.headers);
      expect(idsOf(listingIn(await admin.get(first!)))).toEqual([product.id]);
    });

    it.each([
      ['minPrice=5&maxPrice=4', '422 UNPROCESSABLE_ENTITY', 'minPrice TOO_LARGE'],
      ['createdFrom=2026-01-02', '400 INVALID_QUERY', 'createdFrom WRONG_TYPE'],
      ['limit=0', '422 UNPROCESSABLE_ENTITY', 'limit TOO_SMALL'],
      ['limit=-5', '422 UNPROCESSABLE_ENTITY', 'limit TOO_SMALL'],
      ['inStock=yes', '400 INVALID_QUERY', 'inStock WRONG_TYPE'],
      ['limit=abc', '400 INVALID_QUERY', 'limit WRONG_TYPE'],
      ['inStock=true&inStock=true', '400 INVALID_QUERY', 'inStock REPEATED'],
      ['category=a&'.repeat(101), '422 UNPROCESSABLE_ENTITY', 'category TOO_MANY'],
      ['page=1&cursor=', '400 INVALID_QUERY', 'page NOT_ALLOWED'],
      ['sort=colour:asc', '400 INVALID_SORT', 'sort NOT_ALLOWED'],
      ['cursor=abc', '400 INVALID_CURSOR', 'cursor NOT_ALLOWED'],
    ])('refuse %s with %s', async (query, error, fault) => {
      const answer = await admin.get(`/api/v1/products?${query}`);
      expect([errorOf(answer), ...faultsOf(answer)]).toEqual([error, fault]);
    });
  });

  describe('pages', () => {
    it('are 20 long, newest first', async () => {
      const own = uniqueCategory('defaults');
      await app.query(
        `insert into products (name, price, category, created_at)
         select 'P' || n, 1, $1, timestamptz '2026-01-01' + n * interval '1 minute' from generate_series(1, 21) n`,
        [own],
      );
      const { data, pagination } = await list({ category: own });
      expect(pagination).toEqual({ page: 1, limit: 20, total: 21, totalPages: 2 });
      expect(data.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, i) => `P${21 - i}`));
    });

    it.each([101, 1000, '99999999999999999999'])('treat a limit of %s as 100', async (limit) => {
      const own = uniqueCategory('long');
      await app.query(
        `insert into products (name, price, category) select 'P', 1, $1 from generate_series(1, 103)`,
        [own],
      );
      const answer = await admin.get(listPath({ category: own, limit }));
      const { data, pagination } = listingIn(answer);
      expect([data.length, pagination.limit, pagination.totalPages]).toEqual([100, 100, 2]);
      const second = listingIn(await admin.get(linksOf(answer.headers)['next']!));
      expect(second.data).toHaveLength(3);
      expect((await list({ category: own, limit, cursor: '' })).data).toHaveLength(100);
    });

    it('are empty past the end, with the correct total', async () => {
      for (const page of [4, 1000, 999_999_999_999]) {
        const { data, pagination } = await list({ page, limit: 5 });
        expect([data, pagination]).toEqual([[], { page, limit: 5, total: 12, totalPages: 3 }]);
      }
      const { data, pagination } = await list({ category: uniqueCategory('empty') });
      expect([data, pagination]).toEqual([[], { page: 1, limit: 20, total: 0, totalPages: 0 }]);
    });

    it('have no total by cursor', async () => {
      const first = await list({ cursor: '', limit: 11 });
      expect(first.pagination).toEqual({
        nextCursor: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
        hasMore: true,
      });
      const last = await list({ cursor: first.pagination.nextCursor, limit: 11 });
      expect(last.pagination).toEqual({ nextCursor: null, hasMore: false });
      expect(last.data).toHaveLength(1);
      // The page has exactly as many rows as its limit, so nothing follows.
      expect((await list({ cursor: '', limit: 12 })).pagination).toEqual({
        nextCursor: null,
        hasMore: false,
      });
      const empty = await list({ category: uniqueCategory('empty'), cursor: '' });
      expect(empty).toEqual({ data: [], pagination: { nextCursor: null, hasMore: false } });
    });
  });

  describe('Link', () => {
    it('leads through the offset pages in both directions, and keeps all other parameters', async () => {
      const start = listPath({ category, limit: 5, sort: 'price:asc', minPrice: 0, page: 2 });
      const second = await admin.get(start);
      const links = linksOf(second.headers);
      expect(Object.keys(links).sort()).toEqual(['first', 'last', 'next', 'prev']);
      for (const [relation, page] of Object.entries({ first: 1, prev: 1, next: 3, last: 3 })) {
        const { pathname, searchParams } = new URL(links[relation]!, app.baseUrl);
        expect(pathname).toBe('/api/v1/products');
        expect(Object.fromEntries(searchParams)).toEqual({
          category,
          limit: '5',
          sort: 'price:asc',
          minPrice: '0',
          page: String(page),
        });
      }
      const walked: number[] = [];
      let next: string | undefined = links['first'];
      for (let answer; next; next = linksOf(answer.headers)['next']) {
        answer = await admin.get(next);
        walked.push(...idsOf(listingIn(answer)));
      }
      expect(walked).toEqual(ids);
      const last = await admin.get(links['last']!);
      expect(Object.keys(linksOf(last.headers)).sort()).toEqual(['first', 'last', 'prev']);
      expect(linksOf(last.headers)['prev']).toBe(start);
      const first = await admin.get(links['first']!);
      expect(Object.keys(linksOf(first.headers)).sort()).toEqual(['first', 'last', 'next']);
    });

    it('leads through the cursor pages', async () => {
      const walked: number[] = [];
      let next: string | undefined = listPath({ category, cursor: '', sort: 'price:desc', limit: 5 });
      for (let answer; next; next = linksOf(answer.headers)['next']) {
        answer = await admin.get(next);
        const links = linksOf(answer.headers);
        const first = new URL(links['first']!, app.baseUrl).searchParams;
        expect(Object.fromEntries(first)).toEqual({ category, sort: 'price:desc', limit: '5', cursor: '' });
        expect(Object.keys(links)).not.toContain('last');
        const { nextCursor } = listingIn(answer).pagination;
        expect(nextCursor === null).toBe(links['next'] === undefined);
        walked.push(...idsOf(listingIn(answer)));
      }
      expect(walked).toEqual([...ids].reverse());
    });
  });

  describe('a cursor', () => {
    const parameters = { sort: 'price:asc', limit: 5, inStock: true };
    const cursorOf = async (others: object = {}): Promise<string> =>
      (await list({ ...parameters, ...others, cursor: '' })).pagination.nextCursor!;

    it('is valid for the same query in any spelling, and in the other version', async () => {
      const cursor = await cursorOf();
      const rest = await list({ ...parameters, cursor });
      const path = `/api/v2/products?cursor=${cursor}&limit=5&inStock=true&sort=price:asc&category=`;
      const other = listingIn(await admin.get(path + encodeURIComponent(category)));
      expect(idsOf(other)).toEqual(idsOf(rest));
      expect(idsOf(rest).map((id) => ids.indexOf(id) + 1)).toEqual([11]);
    });
  });
});
