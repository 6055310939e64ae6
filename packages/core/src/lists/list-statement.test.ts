import 'reflect-metadata';

import fc from 'fast-check';

import { lampsTable } from '../../test/lamps-table.js';
import { Statement } from '../database/sql-executor.js';
import { Flag, Text } from '../fields/fields.js';
import * as kinds from '../fields/fields.js';
import { anyOf, equals, where } from './filters.js';
import { defineList } from './list-definition.js';
import { FilterCondition, ParsedListQuery, ListPosition } from './list-query.js';
import { listStatement } from './list-statement.js';
import { SortTerm } from './sort.js';

// Integration tests check which rows the statements find. The tests of this file check that no value appears in the SQL
// text.

const lamps = lampsTable(
  'id integer, name varchar, lit boolean, price numeric, rating numeric null, nick varchar null, secret varchar',
);

class Lamp {
  id: number;
  @Text({ max: 50 })
  name: string;
  @Flag()
  lit: boolean;
  price: number;
  rating: number | null;
  nick: string | null;
}

const definition = defineList(Lamp, {
  name: 'lamps',
  filters: {
    name: anyOf('name'),
    lit: equals('lit'),
    tag: where(
      kinds.text({ max: 50 }),
      (tag, { id }) => `exists (select from tags t where t.lamp = ${id} and ${tag} in (t.tag, t.alias))`,
      { description: '' },
    ),
  },
});

const asked = (filter: string, value: FilterCondition['value']): Partial<ParsedListQuery> => ({
  conditions: [{ filter: definition.filters.get(filter)!, value }],
});
const term = (property: string, direction: 'asc' | 'desc'): SortTerm => ({ property, direction });
const BY_NAME = [term('name', 'asc'), term('id', 'asc')];
const MIXED = [term('rating', 'desc'), term('price', 'asc'), term('id', 'asc')];

const statementOf = (position: ListPosition, parts: Partial<ParsedListQuery> = {}): Statement =>
  listStatement(lamps, {
    definition,
    cursorScopeDigest: '',
    fixedFilters: [],
    conditions: [],
    sort: BY_NAME,
    limit: 20,
    position,
    ...parts,
  });
const page = (number: number): ListPosition => ({ style: 'offset', page: number });
const after = (...keys: string[]): ListPosition => ({ style: 'cursor', after: keys });

describe('the SQL of a list', () => {
  test.each<[string, (value: string) => Statement, (value: string) => unknown[]]>([
    [
      'the value of a filter',
      (value) => statementOf(page(2), asked('name', value)),
      (value) => [value, 20, 20],
    ],
    [
      'the value of a filter on a far page',
      (value) => statementOf(page(9), asked('tag', value)),
      (value) => [value, 20, 160],
    ],
    [
      'the value of a fixed filter',
      (value) =>
        statementOf(page(1), { fixedFilters: [{ property: 'nick', value }], ...asked('name', value) }),
      (value) => [value, value, 20, 0],
    ],
    [
      'the keys of a cursor with two directions',
      (value) => statementOf(after(value, value, value), { sort: MIXED }),
      (value) => [value, value, value],
    ],
  ])('passes %s as a parameter', (_name, make, valuesOf) => {
    const { text } = make('some lamp');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(make(value).text).toBe(text);
        expect(make(value).values).toEqual(valuesOf(value));
      }),
    );
    expect(text).not.toContain('some lamp');
    expect(new Set(text.match(/\$\d+/g)).size).toBe(valuesOf('').length);
  });

  test('passes the ids that a caller may see as parameters', () => {
    const of = (ids: number[]): Statement =>
      statementOf(page(1), {
        ...asked('name', 'y'),
        scope: { except: [{ property: 'id', ids }], anyOf: [[{ property: 'price', ids: [5] }]] },
      });
    expect(of([1, 2, 3]).text).toBe(of([7, 8]).text);
    expect(of([7]).values).toEqual(['y', 7, 5, 20, 0]);
    expect(of([1, 2, 3]).values).toEqual(['y', [1, 2, 3], 5, 20, 0]);
  });

  test('passes several values as one array, in a statement that is not prepared', () => {
    const { text, values, name } = statementOf(page(1), asked('name', ['x', 'y', 'z']));
    expect(text).toContain('where "lamps"."name" = any($1::varchar[])');
    expect([values, name]).toEqual([[['x', 'y', 'z'], 20, 0], undefined]);
  });

  test('contains the value of a flag literally', () => {
    expect(statementOf(page(1), asked('lit', false)).text).toContain('where "lamps"."lit" = false');
  });
});

test('prepares only as many statements as the declaration of the list bounds', () => {
  const isNamed = (...parts: Parameters<typeof statementOf>): boolean =>
    statementOf(...parts).name !== undefined;
  const one = asked('name', 'x');
  const two = { conditions: [...one.conditions!, ...asked('lit', true).conditions!] };
  for (const filters of [one, two])
    expect([page(1), page(50), after('x', '1')].every((position) => isNamed(position, filters))).toBe(true);
  expect(isNamed(page(4000))).toBe(true);
  // On far pages of a filtered list, the plan must fit the value.
  expect(isNamed(page(51), one)).toBe(false);
  expect(isNamed(page(1), { sort: MIXED })).toBe(false);
  expect(isNamed(after('x', '1'), { limit: 21 })).toBe(false);
  expect(isNamed(page(1), { scope: { except: [], anyOf: [] } })).toBe(false);
  expect(isNamed(page(1), { conditions: [...one.conditions!, ...asked('tag', 'x').conditions!] })).toBe(
    false,
  );
});
