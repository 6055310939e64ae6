import 'reflect-metadata';

import fc from 'fast-check';
import { EntityMetadata } from 'typeorm';

import { Table } from '../database/table.js';
import * as kinds from '../fields/kinds.js';
import { CursorKey } from './cursor.js';
import { anyOf, equals, Filter, isNull, matches, startsWith, where } from './filters.js';
import { defineList } from './list-definition.js';
import { ListQuery, Position } from './list-query.js';
import { ListStatements } from './list-statements.js';
import { SortTerm } from './sort.js';

// What the statements find is tested against PostgreSQL; here, that they are made of what is declared alone.

const lamps = new Table({
  tableName: 'lamps',
  columns: [
    { propertyName: 'id', databaseName: 'id', type: 'integer', isSelect: true },
    { propertyName: 'name', databaseName: 'name', type: 'varchar', isSelect: true },
    { propertyName: 'price', databaseName: 'price', type: 'numeric', isSelect: true },
    { propertyName: 'rating', databaseName: 'rating', type: 'numeric', isSelect: true, isNullable: true },
    { propertyName: 'createdAt', databaseName: 'created_at', type: 'timestamptz', isSelect: true },
    { propertyName: 'nick', databaseName: 'nick', type: 'varchar', isSelect: true, isNullable: true },
    { propertyName: 'secret', databaseName: 'secret', type: 'varchar', isSelect: false },
  ],
  dataSource: { driver: { normalizeType: ({ type }: { type: string }) => type } },
} as unknown as EntityMetadata);

class Lamp {
  id: number;
  name: string;
  price: number;
  rating: number | null;
  createdAt: string;
  nick: string | null;
}

const text = kinds.text({ max: 50 });
const FILTERS: Readonly<Record<string, Filter<Lamp>>> = {
  name: equals('name', text),
  any: anyOf('name', text),
  begins: startsWith('name', text),
  unrated: isNull('rating'),
  words: matches(['name', 'nick'], { language: 'english' }),
  tag: where(
    text,
    (tag, lamp) => `exists (select from tags t where t.lamp = ${lamp.id} and ${tag} in (t.tag, t.alias))`,
    {
      description: '',
    },
  ),
  tags: where(text, (tags, { id }) => `${id} in (select t.lamp from tags t where t.tag = any(${tags}))`, {
    several: true,
    description: '',
  }),
};
const definition = defineList(Lamp, {
  name: 'lamps',
  filters: FILTERS,
  sorts: ['name', 'price', 'rating', 'nick'],
});
const listStatement = (table: Table, asked: ListQuery) => new ListStatements(table, definition).page(asked);

const term = (property: string, direction: 'asc' | 'desc'): SortTerm => ({ property, direction });
const BY_NAME = [term('name', 'asc'), term('id', 'asc')];
const MIXED = [term('rating', 'desc'), term('price', 'asc'), term('id', 'asc')];

function query(position: Position, parts: Partial<ListQuery> = {}): ListQuery {
  const nothing = { definition, key: '', list: '', within: [], conditions: [] };
  return { ...nothing, sort: BY_NAME, limit: 30, position, ...parts };
}

const page = (number: number): Position => ({ style: 'offset', page: number });
const after = (...keys: CursorKey[]): Position => ({ style: 'cursor', after: keys });
const named = (value: string): Partial<ListQuery> => ({
  conditions: [{ filter: 'name', value }],
});

/** The text of a statement, columns by their names alone. */
const textOf = (asked: ListQuery): string => listStatement(lamps, asked).text.replaceAll('"lamps".', '');

/** The placeholders of a statement, each once, in the order of their numbers. */
const placeholders = (text: string): number[] =>
  [...new Set(text.match(/\$\d+/g))].map((found) => Number(found.slice(1))).sort((a, b) => a - b);

describe('values are parameters', () => {
  test.each<[string, (value: string) => ListQuery, (value: string) => unknown[]]>([
    ['a filter of an offset page', (value) => query(page(2), named(value)), (value) => [value, 30, 30]],
    ['a filter of a deep page', (value) => query(page(900), named(value)), (value) => [value, 30, 26970]],
    [
      'a filter of a cursor page',
      (value) => query(after('x', 1), named(value)),
      (value) => [value, 'x', 1, 31],
    ],
    ['the keys of a cursor', (value) => query(after(value, 1)), (value) => [value, 1, 31]],
    ...Object.keys(FILTERS)
      .filter((filter) => filter !== 'unrated')
      .map((filter): [string, (value: string) => ListQuery, (value: string) => unknown[]] => [
        `the filter ${filter}`,
        (value) => query(page(1), { conditions: [{ filter, value }] }),
        (value) => [value, 30, 0],
      ]),
    [
      'what a list is narrowed to',
      (value) => query(page(1), { within: [{ property: 'nick', value }], ...named(value) }),
      (value) => [value, value, 30, 0],
    ],
    [
      'the keys of a cursor of two directions',
      (value) => query(after(value, value, value), { sort: MIXED }),
      (value) => [value, value, value, 31],
    ],
  ])('%s', (_name, queryOf, valuesOf) => {
    const { text } = listStatement(lamps, queryOf('some lamp'));
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const statement = listStatement(lamps, queryOf(value));
        expect(statement.text).toBe(text);
        expect(statement.values).toEqual(valuesOf(value));
      }),
    );
    expect(text).not.toContain('some lamp');
    expect(placeholders(text)).toEqual(valuesOf('').map((_, i) => i + 1));
  });

  test('the rows that a caller may see are parameters', () => {
    const scope = (ids: number[]): Partial<ListQuery> => ({
      scope: {
        except: [{ property: 'id', ids }],
        anyOf: [[{ property: 'price', ids: [5] }], [{ property: 'id', ids }]],
      },
    });
    const statements = new ListStatements(lamps, definition);
    const [one, some, others] = [[7], [7, 8], [1, 2, 3]].map((ids) =>
      statements.page(query(after('x', 1), { ...named('y'), ...scope(ids) })),
    );
    expect(one!.text).not.toBe(some!.text);
    expect(some!.text).toBe(others!.text);
    expect(one!.values).toEqual(['y', 7, 5, 7, 'x', 1, 31]);
    expect(others!.values).toEqual(['y', [1, 2, 3], 5, [1, 2, 3], 'x', 1, 31]);
    expect(placeholders(others!.text)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('limit and offset are parameters too: all pages as far in the list are one prepared statement', () => {
    const texts = [query(page(3)), query(page(2), { limit: 100 }), query(page(16))].map((asked) =>
      listStatement(lamps, asked),
    );
    expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
    expect(new Set(texts.map(({ name }) => name)).size).toBe(1);
    expect(texts.map(({ values }) => values)).toEqual([
      [30, 60],
      [100, 100],
      [30, 450],
    ]);
  });

  test('a plan looks into no offset that is not deep: it can be kept', () => {
    const near = listStatement(lamps, query(page(2), { limit: 20 })).text;
    expect(near).toContain('asc limit 160) as "lamps" limit (select $1::int) offset (select $2::bigint)) as');
    expect(listStatement(lamps, query(page(3))).text).toContain(
      'asc limit 600) as "lamps" limit 1 offset (select $2::bigint)) as "place"',
    );
    expect(listStatement(lamps, query(page(3), { sort: MIXED })).text).toContain(
      'asc limit 600) as "lamps" limit (select $1::int) offset (select $2::bigint)))) as',
    );
  });

  test('the usual first page and cursor page have their limit in the text, so that their plan can be kept', () => {
    const usual = { limit: 20 };
    const first = listStatement(lamps, query(page(1), { ...usual, ...named('x') }));
    expect([first.values, first.text.includes('asc limit 20) as')]).toEqual([['x'], true]);
    const next = listStatement(lamps, query(after('x', 1), usual));
    expect([next.values, next.text.endsWith(' limit 21')]).toEqual([['x', 1], true]);
    expect(listStatement(lamps, query(page(2), usual)).values).toEqual([20, 20]);
  });
});

describe('what a statement is made of', () => {
  test('an offset page counts and reads in one statement', () => {
    const text = textOf(query(page(1), named('x')));
    expect(text).toContain(
      '(select (select count(*)::float8 from "lamps" where "name" = $1::varchar) as "listTotal")',
    );
    expect(text).toMatch(/left join .* on true order by "name" collate "und-x-icu" asc, "id" asc$/);
  });

  test.each<[string, Partial<ListQuery>, string]>([
    ['the place it begins at', {}, 'as "place" cross join lateral'],
    ['its ids, where it is sorted both ways', { sort: MIXED }, 'any(array('],
    [
      'its ids, where rows are filtered',
      { conditions: [{ filter: 'unrated', value: true }] },
      'array(select',
    ],
  ])('a page that skips many rows looks first for %s', (_name, asked, part) => {
    expect(listStatement(lamps, query(page(2), asked)).text).not.toContain(part);
    for (const far of [page(3), page(18)])
      expect(listStatement(lamps, query(far, asked)).text).toContain(part);
  });

  test('a cursor page counts nothing, and asks for one row more', () => {
    const { text, values } = listStatement(lamps, query({ style: 'cursor', after: null }));
    expect(text).not.toContain('count');
    expect(text).not.toContain('where');
    expect(values).toEqual([31]);
  });

  test.each<[string, unknown, string]>([
    ['any', ['a', 'b'], '"name" = any($1::varchar[])'],
    [
      'begins',
      ['a', 'b'],
      '("name" collate "C" >= ($1::text[])[1] and "name" collate "C" < ($1::text[])[2])',
    ],
    ['unrated', true, ' where "rating" is null '],
    ['unrated', false, ' where "rating" is not null '],
    [
      'words',
      'x',
      `to_tsvector('english', coalesce("name", '') || ' ' || coalesce("nick", '')) @@ websearch_to_tsquery('english', $1::text)`,
    ],
    ['tag', 'x', 'exists (select from tags t where t.lamp = "id" and $1::varchar in (t.tag, t.alias))'],
    ['tags', ['x'], '"id" in (select t.lamp from tags t where t.tag = any($1::varchar[]))'],
  ])('the filter %s of %j', (filter, value, part) => {
    const conditions = [{ filter, value: value as string }];
    expect(textOf(query({ style: 'cursor', after: null }, { conditions }))).toContain(part);
  });

  test('texts are made once, whatever the values', () => {
    const statements = new ListStatements(lamps, definition);
    const [one, other] = ['x', 'y'].map((value) => statements.page(query(after(value, 1), named(value))));
    expect(one!.text).toBe(other!.text);
    expect(one!.name).toBe(other!.name);
  });

  test.each<[string, SortTerm[], string]>([
    [
      'up',
      BY_NAME,
      ' where ("name" collate "und-x-icu", "id") > ($1::varchar collate "und-x-icu", $2::integer) order by "name" collate "und-x-icu" asc, "id" asc limit ',
    ],
    [
      'down',
      [term('name', 'desc'), term('id', 'desc')],
      ' where ("name" collate "und-x-icu", "id") < ($1::varchar collate "und-x-icu", $2::integer) order by "name" collate "und-x-icu" desc, "id" desc limit ',
    ],
    [
      'up, where some lack it',
      [term('rating', 'asc'), term('id', 'asc')],
      ` where (coalesce("rating", 'Infinity'::numeric), "id") > (coalesce($1::numeric, 'Infinity'::numeric), $2::integer) order by `,
    ],
    [
      'up, where some lack a text',
      [term('nick', 'asc'), term('id', 'asc')],
      ` where (("nick" is null), coalesce("nick", ''::varchar) collate "und-x-icu", "id") > (($1::varchar is null), coalesce($1::varchar, ''::varchar) collate "und-x-icu", $2::integer) order by ("nick" is null) asc, `,
    ],
    [
      'down, where some lack a text',
      [term('nick', 'desc'), term('id', 'desc')],
      ` where (("nick" is not null), coalesce("nick", ''::varchar) collate "und-x-icu", "id") < (($1::varchar is not null), `,
    ],
    [
      'both ways',
      [term('price', 'desc'), term('id', 'asc')],
      ' where "price" <= $1::numeric and (("price" < $1::numeric) or ("price" = $1::numeric and "id" > $2::integer)) order by ',
    ],
  ])('rows after a cursor, %s', (_name, sort, part) => {
    expect(textOf(query(after('1', 2), { sort }))).toContain(part);
  });

  test('hidden columns are not read', () => {
    for (const position of [page(1), after('x', 1)]) {
      expect(listStatement(lamps, query(position)).text.split(' from ')[0]).not.toContain('secret');
    }
  });

  test('sorts of several fields are not kept prepared', () => {
    expect(listStatement(lamps, query(page(1))).name).toMatch(/^q_/);
    expect(listStatement(lamps, query(page(1), { sort: MIXED })).name).toBeUndefined();
  });

  test('deep pages of filtered lists are planned for their values', () => {
    expect(listStatement(lamps, query(page(18), named('x'))).name).toBeUndefined();
    for (const asked of [query(page(18)), query(page(17), named('x'))])
      expect(listStatement(lamps, asked).name).toMatch(/^q_/);
  });

  test('a property that the table does not have is a fault of the declaration', () => {
    const sort = [term('colour', 'asc')];
    expect(() => listStatement(lamps, query(page(1), { sort }))).toThrow('"lamps" has no column for colour');
    const conditions = [{ filter: 'constructor', value: 1 }];
    expect(() => listStatement(lamps, query(page(1), { conditions }))).toThrow('no filter constructor');
    const within = [{ property: 'constructor', value: 1 }];
    expect(() => listStatement(lamps, query(page(1), { within }))).toThrow('no column for constructor');
  });
});
