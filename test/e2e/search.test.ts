import { useApp, useClient } from '../support/app.js';
import { headersOf } from '../support/schemes.js';
import { listingIn, listPath } from '../support/lists.js';
import { createProduct, errorOf, faultsOf, uniqueCategory } from '../support/products.js';

describe('search', () => {
  const app = useApp();
  const admin = useClient(app, 'admin');
  const category = uniqueCategory('search');
  const ids: number[] = [];

  beforeAll(async () => {
    const rows: [string, string, string | null][] = [
      ['Éclairé desk-lamp', category, null],
      ['Chair', `${category} lamp`, null],
      ['Table', category, 'goes with the lamp '.repeat(50)],
      ['Lampshade', category, 'brass & glass (E27)'],
      ['Лампа', category, 'say "hello"'],
    ];
    for (const [name, own, description] of rows)
      ids.push(
        ...(
          await app.query<{ id: number }>(
            'insert into products (name, price, category, description) values ($1, 5, $2, $3) returning id',
            [name, own, description],
          )
        ).map(({ id }) => id),
      );
  });

  /** The names of the products of this file that a search finds. */
  const found = async (q: string, others: object = {}): Promise<string[]> => {
    const path = listPath({ q, ...others }, '/api/v2/products');
    const answer = await admin.get(`${path}&${ids.map((id) => `id=${id}`).join('&')}`);
    const { data, pagination } = listingIn(answer);
    if ('total' in pagination) expect(pagination.total).toBe(data.length);
    return data.map(({ name }) => name);
  };

  it.each<[string, string[]]>([
    ['lamp', ['Éclairé desk-lamp', 'Chair', 'Table', 'Lampshade']],
    ['"lamp"', ['Éclairé desk-lamp', 'Chair', 'Table']],
    ['LÀMP -shade', ['Éclairé desk-lamp', 'Chair', 'Table']],
    ['-chair lamp', ['Éclairé desk-lamp', 'Table', 'Lampshade']],
    ['ECLAIRE', ['Éclairé desk-lamp']],
    ['"desk lamp"', ['Éclairé desk-lamp']],
    ['chair or лам', ['Chair', 'Лампа']],
    ['glass e2', ['Lampshade']],
    ['lamp nothing', []],
  ])('finds products by %s', async (q, names) => {
    expect(await found(q)).toEqual(names);
    expect(await found(q, { category })).toEqual(names.filter((name) => name !== 'Chair'));
    expect(await found(q, { cursor: '', sort: 'name:asc' })).toEqual(
      names.toSorted(new Intl.Collator('und').compare),
    );
  });

  it.each([
    ['ΚΑΣΕΤΙΝΑ', 'ΚΑΣ'],
    ['Μεγάλος κόσμος', 'ΚΟΣΜΟΣ'],
    ['Große Straße', 'strasse'],
    ['Strasse', 'Straße'],
    ['Łódź', 'lodz'],
    ['Smørrebrød æble', 'smorrebrod aeble'],
    ['حَاسُوب', 'حاسوب'],
    ['שָׁלוֹם', 'שלום'],
    ['\ufeffLan\u00adtern', 'lantern'],
    ['Lantern', 'lan\u200btern'],
    ['L’ampoule', "l'ampoule"],
    ['Lantern™ 🪔', 'lantern 🪔'],
    ['Bits → bytes', 'bytes bits'],
    ['ガラス', 'ガラ'],
    ['パスタ', 'ﾊﾟｽﾀ'],
  ])('finds %s by %s', async (name, q) => {
    const { product } = await createProduct(admin, { name, category: uniqueCategory('spelling') });
    const { data } = listingIn(await admin.get(`${listPath({ q })}&id=${product.id}`));
    expect(data.map((row) => row.name)).toEqual([name]);
  });

  it.each([
    ['👩 family', 'x1'],
    ['❤️ heart', 'x2'],
    ['カラス', 'ガラス'],
    ['ハス', 'バス'],
  ])('does not find %s by %s', async (name, q) => {
    const { product } = await createProduct(admin, { name, category: uniqueCategory('spelling') });
    const { data } = listingIn(await admin.get(`${listPath({ q })}&id=${product.id}`));
    expect(data).toEqual([]);
  });

  it('shows rows with the word itself before rows with words that only begin with it', async () => {
    const own = uniqueCategory('exact');
    const names = ['BC1010', 'BC10101', 'BC1010-XL BC10101 BC10102', 'BC10109 BC10108 BC10107'];
    for (const name of names) await createProduct(admin, { name, category: own });
    for (const sort of ['relevance:desc', 'relevance:asc']) {
      const { data } = listingIn(await admin.get(listPath({ q: 'bc1010', category: own, sort })));
      const shown = data.map(({ name }) => name);
      if (sort === 'relevance:asc') shown.reverse();
      expect(shown.slice(0, 2)).toEqual(['BC1010', 'BC1010-XL BC10101 BC10102']);
      expect(shown).toHaveLength(4);
    }
    const phrase = listingIn(await admin.get(listPath({ q: 'xl bc10102', category: own })));
    expect(phrase.data.map(({ name }) => name)).toEqual(['BC1010-XL BC10101 BC10102']);
  });

  it('finds users by parts of e-mail addresses and by names, for callers who may list users', async () => {
    const name = `Ödön ${uniqueCategory('name')}`;
    const email = `ada.lovelace+${Date.now()}@search-example.com`;
    await app.query(
      `insert into users (email, canonical_email, password_hash, name) values ($1, $1, 'x', $2)`,
      [email, name],
    );
    for (const q of ['lovelace', 'ADA', 'search-example', email, 'ada@search.ex', 'odon'])
      expect((await admin.get(listPath({ q }, '/api/v1/users'))).text).toContain(email);
    const viewer = await app.as('viewer');
    expect((await viewer.get(listPath({ q: 'ada' }, '/api/v1/users'))).status).toBe(403);
  });

  it('shows and counts only what the caller may see', async () => {
    const { product } = await createProduct(admin, { name: 'Unseen zeppelin', category });
    const { product: other } = await createProduct(admin, { name: 'Seen zeppelin', category });
    const viewer = await app.user('viewer');
    await admin.post('/api/v1/access-grants', {
      ...{ resourceType: 'product', resourceId: product.id, userId: viewer.id },
      ...{ permissions: ['read'], effect: 'deny' },
    });
    const client = app.anonymous.with((await headersOf(app, viewer, ['read'])).bearer);
    for (const sort of ['relevance:desc', 'price:asc']) {
      const { data, pagination } = listingIn(await client.get(listPath({ q: 'zepp', category, sort })));
      expect([data.map((row) => row.id), pagination.total]).toEqual([[other.id], 1]);
    }
  });

  it.each([
    ['q=', '422 UNPROCESSABLE_ENTITY', 'q TOO_SHORT'],
    [`q=${'x'.repeat(201)}`, '422 UNPROCESSABLE_ENTITY', 'q TOO_LONG'],
    ['q=a&q=b', '400 INVALID_QUERY', 'q REPEATED'],
    ['q=a%00', '400 INVALID_QUERY', 'q BAD_CHARACTER'],
    ['sort=relevance:desc', '400 INVALID_SORT', 'sort NOT_ALLOWED'],
  ])('refuses %s with %s', async (query, error, fault) => {
    const answer = await admin.get(`/api/v1/products?${query}`);
    expect([errorOf(answer), ...faultsOf(answer)]).toEqual([error, fault]);
  });

  it.each([
    ...[
      ' ',
      '"',
      '""',
      '-',
      '- -',
      '-"',
      ':*',
      "'':*",
      '\\',
      '<->',
      '!',
      '(|)',
      '&&&',
      '. , ;',
      '\u200d\u3000',
    ],
    ...['\u0301'.repeat(200), '㌀'.repeat(200)],
  ])('finds nothing by text without a word: %j', async (q) => {
    expect(await found(q)).toEqual([]);
    expect(await found(q, { cursor: '' })).toEqual([]);
  });

  it.each([
    ...[
      "a' or 1=1 --",
      'a:* & b',
      '"a',
      '-"a b" €',
      'or or or',
      'a\\',
      '((((',
      'not(a)',
      '$1 %s {}',
      'a\n-b\t"c',
    ],
    ...['x'.repeat(200), '"- '.repeat(60), `a${'\u0301'.repeat(199)}`, 'ﷺ'.repeat(200), '🪔'.repeat(200)],
  ])('accepts any text: %j', async (q) => {
    for (const path of ['/api/v1/products', '/api/v1/reviews', '/api/v1/users'])
      expect((await admin.get(listPath({ q }, path))).status).toBe(200);
  });

  it('does not appear in any response', async () => {
    const answer = await admin.get(listPath({ q: 'lamp', category }, '/api/v2/products'));
    expect(answer.text).not.toContain('"search"');
  });
});
