import { clientFiles } from '@plinth/client/generator';
import { Client } from '@plinth/dev/testing';
import { DataSource } from 'typeorm';

import { findChanges } from '../../packages/dev/src/migrations/changes.js';
import { declarationsIn } from '../../packages/dev/src/migrations/scratch.js';
import { Article } from '../support/modules/articles/article.entity.js';
import { articleList, ArticlesModule } from '../support/modules/articles/articles.module.js';
import { useInProcess } from '../support/own-app.js';
import { SOURCE_FOLDERS } from '../support/source-folders.js';

const PLACE = {
  city: 'Bonn',
  state: 'NRW',
  zip: null,
  since: '2026-11-20T09:30:00.000Z',
  labels: ['old', 'old'],
  position: { lat: 50.733333, label: 'centre' },
};
const ARTICLE = {
  title: 'Lamps',
  tags: ['b', 'a', 'a'],
  keywords: [],
  authors: ['Ada', 'Bob'],
  channels: ['sms', 'mail'],
  place: PLACE,
  position: { lat: -1.5, label: null },
};
const DEFAULT_KEYWORDS = [`it's`, 'say "hi"', 'null', 'a b', '{},\\'];
/** Texts that look like something else in SQL, in an array literal or in JSON. */
const ODD_TEXTS = ['null', 'a,b', '{}', '"', '\\', `it's`, ' x ', '$1', '😀', 'é\u0301'];

type Row = typeof ARTICLE & { readonly id: number };

describe('a resource with arrays and JSON', () => {
  const app = useInProcess({ DOCS: 'true' }, undefined, [ArticlesModule]);
  let admin: Client;
  let declared: Parameters<typeof findChanges>[1];

  beforeAll(async () => {
    const { lists } = await declarationsIn(...SOURCE_FOLDERS);
    declared = [...lists, articleList];
    // Creates the table as a migration does, with the indexes of its list.
    await findChanges(app.app.nest.get(DataSource), declared);
    admin = await app.as('admin');
  });

  const create = async (values: object = {}): Promise<{ row: Row; path: string; etag: string }> => {
    const created = await admin.post('/api/v2/articles', { ...ARTICLE, ...values });
    expect([created.status, created.text]).toEqual([201, expect.anything()]);
    const row = created.body as Row;
    return { row, path: `/api/v2/articles/${row.id}`, etag: created.headers.get('etag')! };
  };
  const faultsOf = ({ status, body }: { status: number; body: unknown }): string[] => [
    String(status),
    ...(body as { error: { details: { field: string; code: string }[] } }).error.details.map(
      ({ field, code }) => `${field} ${code}`,
    ),
  ];
  const idsOf = async (query: string): Promise<number[]> => {
    const { status, body, text } = await admin.get(`/api/v2/articles?sort=id:asc&limit=100&${query}`);
    expect([status, text]).toEqual([200, expect.anything()]);
    return (body as { data: Row[] }).data.map(({ id }) => id);
  };

  it('is created, and read as it was written', async () => {
    const { row, path } = await create();
    expect(row).toMatchObject(ARTICLE);
    expect((await admin.get(path)).body).toEqual(row);
    expect((await admin.get(path.replace('/v2/', '/v1/'))).body).toEqual({
      id: row.id,
      title: 'Lamps',
      tags: ARTICLE.tags,
    });
    const list = await admin.get(`/api/v2/articles?id=${row.id}`);
    expect(list.body).toMatchObject({ data: [ARTICLE] });
  });

  it('keeps every storable text, and the order of items', async () => {
    for (const text of ODD_TEXTS) {
      const place = { ...PLACE, city: text, labels: [text, 'x'] };
      const { row, path } = await create({ tags: [text, 'b', text], place });
      expect(row).toMatchObject({ tags: [text, 'b', text], place });
      const found = await idsOf(new URLSearchParams({ tag: text, city: text, label: text }).toString());
      expect(found).toEqual([row.id]);
      await admin.delete(path);
    }
  });

  it('gets its defaults, in each request', async () => {
    const { title, authors } = ARTICLE;
    for (let i = 0; i < 2; i++) {
      const created = await admin.post('/api/v2/articles', { title, authors, place: { city: 'Bonn' } });
      expect(created.body).toMatchObject({
        tags: [],
        keywords: DEFAULT_KEYWORDS,
        channels: ['mail'],
        place: { city: 'Bonn', state: `it's "new"`, zip: null, labels: [], position: null },
        position: { lat: 0.5, label: `it's` },
      });
      const { id } = created.body as Row;
      const pushed = await admin.patch(`/api/v2/articles/${id}`, {
        channels: ['push'],
        position: { lat: 9 },
      });
      expect(pushed.body).toMatchObject({ channels: ['push'], position: { lat: 9, label: `it's` } });
    }
  });

  it('has the same defaults in the database, and no statement is missing afterwards', async () => {
    const dataSource = app.app.nest.get(DataSource);
    const [row] = await dataSource.query<Row[]>(
      `insert into articles (title) values ('by SQL') returning tags, keywords, channels, authors, place, position`,
    );
    expect(row).toEqual({
      tags: [],
      keywords: DEFAULT_KEYWORDS,
      channels: ['mail'],
      authors: null,
      place: null,
      position: { lat: 0.5, label: `it's` },
    });
    expect(await findChanges(dataSource, declared)).toEqual({ up: [], down: [] });
  });

  it.each<[string, object, string[]]>([
    ['a text for an array', { tags: 'a' }, ['400', 'tags WRONG_TYPE']],
    ['an object for an array', { tags: { 0: 'a' } }, ['400', 'tags WRONG_TYPE']],
    ['null for an array', { tags: null }, ['400', 'tags WRONG_TYPE']],
    [
      'items of other types',
      { tags: ['a', 1, null, ['b']] },
      ['400', 'tags.1 WRONG_TYPE', 'tags.2 WRONG_TYPE', 'tags.3 WRONG_TYPE'],
    ],
    ['NUL in an item', { tags: ['a', 'b\u0000'] }, ['400', 'tags.1 BAD_CHARACTER']],
    ['half of a surrogate pair in an item', { tags: ['\ud800'] }, ['400', 'tags.0 BAD_CHARACTER']],
    [
      'blank and long items',
      { tags: ['', 'x'.repeat(11), 'ok', ' '] },
      ['422', 'tags.0 BLANK', 'tags.1 TOO_LONG', 'tags.3 BLANK'],
    ],
    ['too many items', { tags: ['1', '2', '3', '4', '5'] }, ['422', 'tags TOO_MANY']],
    [
      'faults of the array and of an item',
      { tags: ['', '2', '3', '4', '5'] },
      ['422', 'tags TOO_MANY', 'tags.0 BLANK'],
    ],
    ['an empty array that needs an item', { authors: [] }, ['422', 'authors TOO_FEW']],
    ['an item twice', { authors: ['a', 'a'] }, ['422', 'authors DUPLICATE']],
    ['a word twice', { channels: ['sms', 'sms'] }, ['422', 'channels DUPLICATE']],
    ['an unknown word', { channels: ['sms', 'fax'] }, ['422', 'channels.1 NOT_ALLOWED']],
    ['null for JSON', { position: null }, ['400', 'position WRONG_TYPE']],
    ['an array for JSON', { place: [] }, ['400', 'place WRONG_TYPE']],
    ['JSON in a text', { place: '{}' }, ['400', 'place WRONG_TYPE']],
    ['an unknown member', { position: { lat: 1, x: 1 } }, ['400', 'position.x UNKNOWN_FIELD']],
    [
      'a member named constructor',
      { position: { lat: 1, constructor: 1 } },
      ['400', 'position.constructor UNKNOWN_FIELD'],
    ],
    ['NUL in a member', { position: { lat: 1, label: 'b\u0000' } }, ['400', 'position.label BAD_CHARACTER']],
    [
      'NUL in the name of a member',
      { position: { lat: 1, '\u0000': 1 } },
      ['400', 'position.\u0000 UNKNOWN_FIELD'],
    ],
    ['too many decimals in a member', { position: { lat: 0.0000001 } }, ['422', 'position.lat TOO_PRECISE']],
    [
      'faults deep in JSON',
      { place: { ...PLACE, labels: ['ok', ''], position: { lat: 91 } } },
      ['422', 'place.labels.1 BLANK', 'place.position.lat TOO_LARGE'],
    ],
    ['null for a member', { place: { ...PLACE, city: null } }, ['400', 'place.city WRONG_TYPE']],
  ])('refuses %s, in a POST and in a PATCH', async (_, values, expected) => {
    const { path, etag } = await create();
    const posted = faultsOf(await admin.post('/api/v2/articles', { ...ARTICLE, ...values }));
    const patched = faultsOf(await admin.patch(path, values));
    expect([posted.toSorted(), patched.toSorted()]).toEqual([expected.toSorted(), expected.toSorted()]);
    expect((await admin.get(path)).headers.get('etag')).toBe(etag);
  });

  it('refuses a body that could change the prototype of objects, and one without the required members', async () => {
    const { title } = ARTICLE;
    const polluting = await admin.post(
      '/api/v2/articles',
      `{"title":"x","position":{"__proto__":{"lat":1}}}`,
    );
    expect(polluting.body).toMatchObject({ error: { code: 'INVALID_JSON' } });
    const missing = await admin.post('/api/v2/articles', { title, place: {}, position: {} });
    expect(faultsOf(missing)).toEqual(['400', 'place.city REQUIRED', 'position.lat REQUIRED']);
  });

  it('lists at most 100 faults of a large array, and stores none of it', async () => {
    const answer = await admin.post('/api/v2/articles', { ...ARTICLE, tags: Array(15_000).fill('') });
    expect(faultsOf(answer).slice(0, 3)).toEqual(['422', 'tags TOO_MANY', 'tags.0 BLANK']);
    const tooLarge = await admin.post('/api/v2/articles', { ...ARTICLE, tags: ['x'.repeat(2 ** 20)] });
    expect(tooLarge.status).toBe(413);
  });

  it.each<[string, object, object]>([
    ['an array as a whole', { tags: ['c'] }, { tags: ['c'] }],
    ['an array that becomes empty', { tags: [] }, { tags: [] }],
    ['an array that becomes null', { authors: null }, { authors: null }],
    ['one member', { place: { city: 'Ulm' } }, { place: { ...PLACE, city: 'Ulm' } }],
    [
      'a member of a member',
      { place: { position: { lat: 1 } } },
      { place: { ...PLACE, position: { lat: 1, label: 'centre' } } },
    ],
    ['a member to null', { place: { position: null } }, { place: { ...PLACE, position: null } }],
    ['an array in JSON as a whole', { place: { labels: ['x'] } }, { place: { ...PLACE, labels: ['x'] } }],
    [
      'two JSON columns',
      { place: { zip: '1' }, position: { label: 'p' } },
      { place: { ...PLACE, zip: '1' }, position: { lat: -1.5, label: 'p' } },
    ],
    ['JSON to null', { place: null }, { place: null }],
  ])('changes by PATCH %s, and nothing else', async (_, patch, changes) => {
    const { row, path, etag } = await create();
    const patched = await admin.patch(path, patch, { 'if-match': etag });
    const next = { updatedAt: expect.any(String) as string, etag: patched.headers.get('etag') };
    expect(patched.body).toEqual({ ...row, ...changes, ...next });
    expect(patched.headers.get('etag')).toBe(etag.replace(/-1"$/, '-2"'));
    expect((await admin.get(path)).body).toEqual(patched.body);
    const again = await admin.patch(path, patch);
    expect(again.headers.get('etag')).toBe(patched.headers.get('etag'));
  });

  it.each([
    { place: {} },
    { place: { position: {} } },
    { place: { since: '2026-11-20T10:30:00+01:00' } },
    {},
  ])('keeps its version if %j changes nothing', async (patch) => {
    const { path, etag } = await create();
    expect((await admin.patch(path, patch)).headers.get('etag')).toBe(etag);
  });

  it('requires the whole JSON if a PATCH begins with null, and in each PUT', async () => {
    const { path } = await create({ place: null });
    expect(faultsOf(await admin.patch(path, { place: { zip: '1' } }))).toEqual([
      '400',
      'place.city REQUIRED',
    ]);
    const started = await admin.patch(path, { place: { city: 'Ulm' } });
    expect(started.body).toMatchObject({
      place: { city: 'Ulm', state: `it's "new"`, zip: null, labels: [], position: null },
    });
    expect(faultsOf(await admin.put(path, { ...ARTICLE, place: { zip: '1' } }))).toEqual([
      '400',
      'place.city REQUIRED',
    ]);
    const replaced = await admin.put(path, { ...ARTICLE, place: { city: 'Köln' } });
    expect(replaced.body).toMatchObject({ place: { city: 'Köln', state: `it's "new"` } });
  });

  it('merges concurrent changes of one JSON, and changes nothing after a failed precondition', async () => {
    const { path, etag } = await create();
    const members = [{ city: 'Ulm' }, { zip: '1' }, { state: 'BW' }, { labels: ['new'] }];
    await Promise.all(members.map((place) => admin.patch(path, { place })));
    const merged = await admin.get(path);
    expect(merged.body).toMatchObject({ place: { ...PLACE, ...Object.assign({}, ...members) } });
    const stale = await admin.patch(path, { place: { city: 'Rom' } }, { 'if-match': etag });
    expect([stale.status, (await admin.get(path)).text]).toEqual([412, merged.text]);
  });

  it('is created and changed by a batch', async () => {
    const { row } = await create();
    const answer = await admin.post('/api/v2/articles/batch', {
      atomic: false,
      operations: [
        { method: 'create', body: { ...ARTICLE, tags: ['batch'] } },
        { method: 'update', id: row.id, body: { place: { zip: '2' } } },
        { method: 'update', id: row.id, body: { tags: [''] } },
      ],
    });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    expect((answer.body as { results: object[] }).results).toMatchObject([
      { status: 201, body: { tags: ['batch'] } },
      { status: 200, body: { place: { ...PLACE, zip: '2' } } },
      { status: 422, error: { details: [{ field: 'tags.0', code: 'BLANK' }] } },
    ]);
  });

  it('is found by what it contains', async () => {
    const { row: one } = await create({ tags: ['red', 'hot'], channels: ['push'], place: null });
    const place = {
      ...PLACE,
      city: 'Rom',
      since: '2020-01-01T00:00:00Z',
      labels: ['sea'],
      position: { lat: 1.5 },
    };
    const { row: two } = await create({ tags: ['red', 'new'], channels: ['push', 'sms'], place });
    for (const [query, ids] of [
      ['tag=red', [one.id, two.id]],
      ['tag=red&tag=hot', [one.id]],
      ['tag=hot&tag=new', []],
      ['tag=re', []],
      ['channel=push&channel=sms&tag=red', [two.id]],
      ['city=Rom', [two.id]],
      ['city=rom', []],
      ['label=sea', [two.id]],
      ['lat=1.50', [two.id]],
      [`since=${encodeURIComponent('2020-01-01T01:00:00+01:00')}`, [two.id]],
    ] as const)
      expect([query, await idsOf(query)]).toEqual([query, ids]);
    const page = await admin.get('/api/v2/articles?tag=red&limit=1&cursor=');
    const { nextCursor } = (page.body as { pagination: { nextCursor: string } }).pagination;
    expect((await admin.get(`/api/v2/articles?tag=red&limit=1&cursor=${nextCursor}`)).body).toMatchObject({
      data: [{ id: one.id }],
      pagination: { hasMore: false },
    });
    const counted = await admin.get('/api/v2/articles?tag=red&tag=red&tag=new');
    expect(counted.body).toMatchObject({ pagination: { total: 1 } });
  });

  it.each([
    ['tag=%00', '400 tag BAD_CHARACTER'],
    ['tag=xxxxxxxxxxx', '422 tag TOO_LONG'],
    ['channel=fax', '400 channel NOT_ALLOWED'],
    ['city=a&city=b', '400 city REPEATED'],
    ['lat=high', '400 lat WRONG_TYPE'],
    ['since=today', '400 since WRONG_TYPE'],
    ['sort=tags:asc', '400 sort NOT_ALLOWED'],
    [Array(101).fill('tag=a').join('&'), '422 tag TOO_MANY'],
  ])('refuses the query %s', async (query, expected) => {
    const [status, ...faults] = faultsOf(await admin.get(`/api/v2/articles?${query}`));
    expect(`${status} ${faults.join()}`).toBe(expected);
  });

  it('is exported with an array in a cell, and each member of JSON in a column of its own', async () => {
    const { row } = await create({ title: 'CSV', tags: ['a;=1+1', 'b'] });
    const { text } = await admin.get(`/api/v2/articles?id=${row.id}`, { accept: 'text/csv' });
    const [header, line] = text.split('\r\n');
    expect(header).toBe(
      'id,title,tags,keywords,authors,channels,place.city,place.state,place.zip,place.since,place.labels,place.position.lat,' +
        'place.position.label,position.lat,position.label,createdAt,updatedAt,etag',
    );
    // The JSON is the same, but no spreadsheet finds a formula behind the semicolon.
    expect(line).toContain(`${row.id},CSV,"[""a;\\u003d1+1"",""b""]",[],"[""Ada"",""Bob""]"`);
    expect(JSON.parse('["a;\\u003d1+1","b"]')).toEqual(['a;=1+1', 'b']);
    expect(line).toContain('Bonn,NRW,,2026-11-20T09:30:00.000Z,"[""old"",""old""]",50.733333,centre');
  });

  it('shows JSON that was stored before a member was added with its default', async () => {
    const { row, path } = await create();
    await app.app.nest
      .get(DataSource)
      .query(`update articles set place = '{"city":"Alt"}' where id = ${row.id}`);
    expect((await admin.get(path)).body).toMatchObject({
      place: { city: 'Alt', state: `it's "new"`, zip: null, labels: [], position: null },
    });
    const { text } = await admin.get(`/api/v2/articles?id=${row.id}`, { accept: 'text/csv' });
    expect(text).toContain(`Alt,"it's ""new""",,,[],`);
  });

  it('is exported as empty cells if it is null', async () => {
    const { row } = await create({ title: 'Nowhere', place: null });
    const { text } = await admin.get(`/api/v2/articles?id=${row.id}`, { accept: 'text/csv' });
    expect(text.split('\r\n')[1]).toContain('"[""sms"",""mail""]",,,,,,,,-1.5,');
  });

  it('is read and saved by TypeORM as its class declares', async () => {
    const { row, path } = await create();
    const articles = app.app.nest.get(DataSource).getRepository(Article);
    const { version, createdAt: _, updatedAt: __, ...found } = await articles.findOneByOrFail({ id: row.id });
    expect([version, { ...found }]).toEqual([1, { id: row.id, ...ARTICLE }]);
    const place = { ...PLACE, since: '2026-11-20T10:30:00+01:00', other: 1 };
    await articles.save({ ...found, tags: ['saved'], place });
    expect((await admin.get(path)).body).toMatchObject({ tags: ['saved'], place: PLACE });
    const [stored] = await articles.query<{ place: object }[]>(
      `select place from articles where id = ${row.id}`,
    );
    expect(stored!.place).toEqual(PLACE);
  });

  it('is documented with the bounds of its arrays and the class of its JSON', async () => {
    const document = (await admin.get('/docs/openapi.json')).body as {
      components: { schemas: Record<string, { properties: Record<string, object>; required?: string[] }> };
    };
    const { schemas } = document.components;
    const schemaOf = (name: string) => schemas[name]!;
    const patch = Object.keys(schemas).find((name) => /Patch.*Place/.test(name))!;
    expect(schemaOf('ArticleV2').properties).toMatchObject({
      tags: { type: 'array', maxItems: 4, items: { type: 'string', minLength: 1, maxLength: 10 } },
      channels: { type: 'array', maxItems: 3, uniqueItems: true, items: { enum: ['mail', 'sms', 'push'] } },
      position: { $ref: '#/components/schemas/Position' },
    });
    expect(schemaOf('Place').required).toEqual(['city']);
    expect(schemaOf(patch).required ?? []).toEqual([]);
    expect(Object.keys(schemaOf(patch).properties)).toEqual(Object.keys(schemaOf('Place').properties));
    const client = [...clientFiles(document).values()].join('\n');
    expect(client).toMatch(/interface ArticleV2 \{[^}]*  tags: string\[\];[^}]*  place: Place \| null;/);
    expect(client).toMatch(/  channels: \("mail" \| "sms" \| "push"\)\[\];/);
    expect(client).toMatch(/readonly tag\?: string \| readonly string\[\]/);
  });
});
