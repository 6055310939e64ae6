import fc from 'fast-check';
import { EntityMetadata } from 'typeorm';

import { Table } from '../database/table.js';
import { CursorKey } from './cursor.js';
import { ListQuery, Position } from './list-query.js';
import { listStatement } from './list-sql.js';
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

const term = (property: string, direction: 'asc' | 'desc'): SortTerm => ({ property, direction });
const BY_NAME = [term('name', 'asc'), term('id', 'asc')];
const MIXED = [term('rating', 'desc'), term('price', 'asc'), term('id', 'asc')];

function query(position: Position, parts: Partial<ListQuery> = {}): ListQuery {
  return { key: '', list: '', conditions: [], sort: BY_NAME, limit: 20, position, ...parts };
}

const page = (number: number): Position => ({ style: 'offset', page: number });
const after = (...keys: CursorKey[]): Position => ({ style: 'cursor', after: keys });
const named = (value: string): Partial<ListQuery> => ({
  conditions: [{ property: 'name', operator: '=', value }],
});

/** The text of a statement, columns by their names alone. */
const textOf = (asked: ListQuery): string => listStatement(lamps, asked).text.replaceAll('"lamps".', '');

/** The placeholders of a statement, each once, in the order of their numbers. */
const placeholders = (text: string): number[] =>
  [...new Set(text.match(/\$\d+/g))].map((found) => Number(found.slice(1))).sort((a, b) => a - b);

describe('values are parameters', () => {
  test.each<[string, (value: string) => ListQuery, (value: string) => unknown[]]>([
    ['a filter of an offset page', (value) => query(page(2), named(value)), (value) => [value, 20, 20]],
    ['a filter of a deep page', (value) => query(page(900), named(value)), (value) => [value, 20, 17980]],
    [
      'a filter of a cursor page',
      (value) => query(after('x', 1), named(value)),
      (value) => [value, 'x', 1, 21],
    ],
    ['the keys of a cursor', (value) => query(after(value, 1)), (value) => [value, 1, 21]],
    [
      'the keys of a cursor of two directions',
      (value) => query(after(value, value, value), { sort: MIXED }),
      (value) => [value, value, value, 21],
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

  test('limit and offset are parameters too: all pages of a list are one prepared statement', () => {
    const texts = [query(page(1)), query(page(3)), query(page(2), { limit: 100 })].map((asked) =>
      listStatement(lamps, asked),
    );
    expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
    expect(new Set(texts.map(({ name }) => name)).size).toBe(1);
    expect(texts.map(({ values }) => values)).toEqual([
      [20, 0],
      [20, 40],
      [100, 100],
    ]);
  });
});

describe('what a statement is made of', () => {
  test('an offset page counts and reads in one statement', () => {
    const text = textOf(query(page(1), named('x')));
    expect(text).toContain('(select count(*)::int as "listTotal" from "lamps" where "name" = $1::varchar)');
    expect(text).toMatch(/left join .* on true order by "name" collate "und-x-icu" asc, "id" asc$/);
  });

  test('a deep page looks for its ids first', () => {
    expect(listStatement(lamps, query(page(25))).text).not.toContain('array(select "id"');
    expect(listStatement(lamps, query(page(26))).text).toContain('array(select "id"');
  });

  test('a cursor page counts nothing, and asks for one row more', () => {
    const { text, values } = listStatement(lamps, query({ style: 'cursor', after: null }));
    expect(text).not.toContain('count');
    expect(text).not.toContain('where');
    expect(values).toEqual([21]);
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
    expect(listStatement(lamps, query(page(1))).name).toMatch(/^plinth_/);
    expect(listStatement(lamps, query(page(1), { sort: MIXED })).name).toBeUndefined();
  });

  test('a property that the table does not have is a fault of the declaration', () => {
    const sort = [term('colour', 'asc')];
    expect(() => listStatement(lamps, query(page(1), { sort }))).toThrow('"lamps" has no column for colour');
    const conditions = [{ property: 'constructor', operator: '=' as const, value: 1 }];
    expect(() => listStatement(lamps, query(page(1), { conditions }))).toThrow('no column for constructor');
  });
});
