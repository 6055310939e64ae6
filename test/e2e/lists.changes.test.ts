import { Client } from '@plinth/dev/testing';

import { startApp, TestApp } from '../support/app.js';
import { allByCursors, idsOf, Listing, listingIn, listPath } from '../support/lists.js';
import { createProduct, errorOf, uniqueCategory } from '../support/products.js';

describe('lists, while others write', () => {
  let app: TestApp;
  let admin: Client;

  beforeAll(async () => {
    app = await startApp();
    admin = await app.as('admin');
  });
  afterAll(() => app.stop());

  /** Rows with few distinct values per sort, so that ties cross the boundaries of pages. */
  async function insert(category: string, count: number): Promise<number[]> {
    const rows = await app.query<{ id: number }>(
      `insert into products (name, price, category, rating, created_at)
       select 'P' || n % 7, n % 5, $1, case when n % 3 > 0 then 1 + n % 4 end,
         timestamptz '2026-01-01' + n % 6 * interval '1 second'
       from generate_series(1, $2::int) n returning id`,
      [category, count],
    );
    return rows.map(({ id }) => id);
  }

  const remove = (ids: readonly number[]): Promise<unknown> =>
    Promise.all(ids.map((id) => admin.delete(`/api/v1/products/${id}`)));

  it.each(['createdAt:desc', 'price:asc', 'rating:desc', 'rating:asc,name:desc,price:asc'])(
    'show each row that exists throughout exactly once in a walk by cursor, sorted by %s',
    async (sort) => {
      const category = uniqueCategory('walked');
      const first = await insert(category, 30);
      const doomed = await insert(category, 30);
      const last = await insert(category, 30);
      const walk = { isOver: false };
      // Two rows are created and deleted all the time. The walk pauses between pages so that they can change.
      const churn = async (): Promise<void> => {
        while (!walk.isOver) await remove(await insert(category, 3));
      };
      const others = [churn(), churn()];
      const walked = await allByCursors(admin, { category, sort, limit: 4 }, async () => {
        await insert(category, 2);
        await remove(doomed.splice(0, 2));
      });
      walk.isOver = true;
      await Promise.all(others);
      const ids = idsOf({ data: walked });
      expect(ids.filter((id) => first.includes(id) || last.includes(id))).toHaveLength(60);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );

  it('continue after a cursor whose row has been deleted', async () => {
    const category = uniqueCategory('vanishing');
    const ids = await insert(category, 12);
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const parameters = { category, sort: 'price:desc,rating:asc', limit: 3, cursor };
      const { data, pagination }: Listing = listingIn(await admin.get(listPath(parameters)));
      seen.push(...idsOf({ data }));
      await remove(seen.slice(-1));
      cursor = pagination.nextCursor;
    }
    expect(seen.sort((a, b) => a - b)).toEqual(ids);
  });

  it('have a total that matches the rows of the same moment', async () => {
    const category = uniqueCategory('pairs');
    const test = { isOver: false, pairs: 0 };
    // Rows are created and deleted in pairs, each pair in one transaction.
    const writer = async (name: string): Promise<void> => {
      for (let i = 0; !test.isOver; i++) {
        const pair = `${name} ${i % 20}`;
        const text = `with gone as (delete from products where category = $1 and name = $2 returning 1)
          insert into products (name, price, category)
          select $2::varchar, n, $1::varchar from generate_series(1, 2) n where not exists (select from gone)`;
        await app.query(text, [category, pair]);
        test.pairs++;
      }
    };
    const writers = [writer('a'), writer('b')];
    const read = async (page: number, limit: number): Promise<Listing> =>
      listingIn(await admin.get(listPath({ category, sort: 'name:asc', page, limit })));
    // Reads at least this often, and continues until the writers have written enough on a busy machine.
    for (let i = 0; i < 60 || test.pairs <= 20; i++) {
      const [all, beyond] = await Promise.all([read(1, 100), read(50, 2)]);
      expect([all.pagination.total % 2, beyond.pagination.total % 2]).toEqual([0, 0]);
      expect(all.data).toHaveLength(all.pagination.total);
      const names = all.data.map(({ name }) => name);
      expect(names.filter((name, at) => name !== names[at ^ 1])).toEqual([]);
    }
    test.isOver = true;
    await Promise.all(writers);
  });

  describe('the ETag of a list', () => {
    const etagOf = async (path: string): Promise<string> => {
      const { status, headers } = await admin.get(path);
      expect([status, headers.get('last-modified')]).toEqual([200, null]);
      expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
      return headers.get('etag')!;
    };

    it('is not changed by other pages and other lists', async () => {
      const category = uniqueCategory('quiet');
      const ids = await insert(category, 6);
      const page = listPath({ category, sort: 'createdAt:asc', limit: 2 });
      const shown = idsOf(listingIn(await admin.get(page)));
      const before = await etagOf(page);
      const hidden = ids.find((id) => !shown.includes(id))!;
      await admin.patch(`/api/v1/products/${hidden}`, { name: 'Not on this page' });
      await createProduct(admin, { category: uniqueCategory('elsewhere') });
      await admin.patch(`/api/v1/products/${shown[0]}`, {});
      expect(await etagOf(page)).toBe(before);
      expect(await etagOf(page.replace('v1', 'v2'))).not.toBe(before);
    });

    it.each([
      ['v1', {}],
      ['v2', {}],
      ['v1', { cursor: '' }],
    ])('answers conditional requests: %s %j', async (version, style) => {
      const category = uniqueCategory('conditions');
      await insert(category, 3);
      const path = listPath({ category, ...style }, `/api/${version}/products`);
      const full = await admin.get(path);
      const etag = full.headers.get('etag')!;
      const later = new Date(Date.now() + 3_600_000).toUTCString();
      const earlier = new Date(Date.now() - 3_600_000).toUTCString();
      const cases: [Record<string, string>, number][] = [
        [{ 'if-none-match': etag }, 304],
        [{ 'if-none-match': `"other", W/${etag}` }, 304],
        [{ 'if-none-match': '*' }, 304],
        [{ 'if-none-match': '"other"' }, 200],
        // A list has no date, so conditions on dates are ignored (RFC 9110 §13.1.3, §13.1.4).
        [{ 'if-modified-since': later }, 200],
        [{ 'if-unmodified-since': earlier }, 200],
        [{ 'if-none-match': etag, 'if-modified-since': earlier }, 304],
        [{ 'if-match': etag }, 200],
        [{ 'if-match': etag, 'if-none-match': etag }, 304],
        [{ 'if-match': '"other"' }, 412],
        [{ 'if-match': `W/${etag}` }, 412],
      ];
      for (const [headers, status] of cases) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await admin.request(method, path, { headers });
          expect([method, headers, answer.status]).toEqual([method, headers, status]);
        }
      }
      const current = await admin.get(path, { 'if-none-match': etag });
      expect(current.text).toBe('');
      for (const header of ['etag', 'cache-control', 'vary', 'last-modified']) {
        expect(current.headers.get(header)).toBe(full.headers.get(header));
      }
      const failed = await admin.get(path, { 'if-match': '"other"' });
      expect([errorOf(failed), failed.headers.get('cache-control')]).toEqual([
        '412 PRECONDITION_FAILED',
        'no-store',
      ]);
      await createProduct(admin, { category });
      expect((await admin.get(path, { 'if-none-match': etag })).status).toBe(200);
    });
  });
});
