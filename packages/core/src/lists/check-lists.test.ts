import 'reflect-metadata';

import { lampsTable } from '../../test/lamps-table.js';
import { EntityTable } from '../database/entity-table.js';
import { checkLists } from './check-lists.js';
import { PermissionList } from '../access/permissions.js';
import { Id, Integer, Text, Timestamp } from '../fields/fields.js';
import * as kinds from '../fields/fields.js';
import { atLeast, equals, Filter, where } from './filters.js';
import { defineList, ListDefinition } from './list-definition.js';

class Lamp {
  @Id()
  id: number;
  @Timestamp()
  createdAt: string;
  @Text({ max: 20 })
  name: string;
  @Text({ max: 20, nullable: true })
  nick: string | null;
  @Integer({ nullable: true })
  watts: number | null;
  shape: object | null;
  @PermissionList({ of: ['read', 'update'] })
  sockets: string[];
  @Text({ max: 20, column: { select: false } })
  secret: string;
}

const lamps = lampsTable(
  'id integer, createdAt timestamptz, name varchar, nick varchar null, watts integer null, shape jsonb null, sockets varchar[], secret varchar',
);

const check = (...lists: ListDefinition[]): void => {
  checkLists(
    lists.map((list) => ({ list })),
    () => lamps,
  );
};

/** A value that no check of types has seen. */
const untyped = (filter: unknown): { it: Filter<Lamp> } => ({ it: filter as Filter<Lamp> });

describe('what is mistyped in a list stops the start', () => {
  test('lists that are right pass, in any number of routes', () => {
    const list = defineList(Lamp, {
      name: 'lamps',
      filters: { name: equals('name'), lampId: equals('id') },
      sorts: ['createdAt', 'nick', 'watts'],
      defaultSort: 'nick:asc',
    });
    expect(() => {
      check(list, list, defineList(Lamp, { name: 'others' }));
    }).not.toThrow();
  });

  test.each<[string, () => ListDefinition, string]>([
    [
      'a filter',
      () => defineList(Lamp, { name: 'lamps', filters: untyped(equals('color')) }),
      'list lamps, filter it: Lamp has no field color',
    ],
    [
      'the SQL of a filter',
      () =>
        defineList(Lamp, {
          name: 'lamps',
          filters: untyped(
            where<Record<'lumens', number>>(kinds.flag, (value, { lumens }) => `${lumens} > 0 = ${value}`, {
              description: '',
            }),
          ),
        }),
      'list lamps, filter it: "lamps" has no column for lumens',
    ],
    [
      'SQL that forgets the value',
      () =>
        defineList(Lamp, {
          name: 'lamps',
          filters: { lit: where(kinds.flag, () => 'true', { description: '' }) },
        }),
      'list lamps, filter lit: its SQL does not use the value',
    ],
    [
      'a filter on an array',
      () => defineList(Lamp, { name: 'lamps', filters: { socket: equals('sockets') } }),
      'list lamps, filter socket: no parameter takes an array of strings',
    ],
    [
      'a filter on what is never shown',
      () => defineList(Lamp, { name: 'lamps', filters: { secret: equals('secret') } }),
      'list lamps, filter secret: secret is never shown',
    ],
    [
      'an order that clients do not know',
      () => defineList(Lamp, { name: 'lamps', filters: { from: atLeast('name') } }),
      'list lamps, filter from: takes numbers, days and times',
    ],
    [
      'what is true of all rows',
      () => defineList(Lamp, { name: 'lamps', only: (row) => (row as unknown as { lumens: string }).lumens }),
      'list lamps, only: "lamps" has no column for lumens',
    ],
    [
      'a sort',
      () => defineList(Lamp, { name: 'lamps', sorts: ['size' as 'name'] }),
      'list lamps, sort size: "lamps" has no column for size',
    ],
    [
      'a sort by what is never shown',
      () => defineList(Lamp, { name: 'lamps', sorts: ['secret'] }),
      'list lamps, sort secret: secret is never shown',
    ],
    [
      'a facet of what is never shown',
      () => defineList(Lamp, { name: 'lamps', facets: { secret: 'count' } }),
      'list lamps, facet secret: secret is never shown',
    ],
    [
      'a facet of what has no order',
      () => defineList(Lamp, { name: 'lamps', facets: { name: 'range' } }),
      'list lamps, facet name: takes numbers, days and times',
    ],
    [
      'a facet of an array',
      () => defineList(Lamp, { name: 'lamps', facets: { sockets: 'count' } }),
      'list lamps, facet sockets: no parameter takes an array of strings',
    ],
    [
      'the default sort',
      () => defineList(Lamp, { name: 'lamps', defaultSort: 'name:asc' }),
      'list lamps, default sort: got "name", takes the fields createdAt',
    ],
    [
      'a filter that every list has',
      () => defineList(Lamp, { name: 'lamps', filters: { page: equals('name') } }),
      'list lamps, filter page: the parameter means something else in every list',
    ],
    [
      'a sort whose nulls have no place',
      () => defineList(Lamp, { name: 'lamps', sorts: ['shape'] }),
      'list lamps, sort shape: rows cannot be walked in the order of a value of type jsonb',
    ],
  ])('%s', (_name, list, message) => {
    expect(() => {
      check(list());
    }).toThrow(message);
  });

  test('what a list is narrowed by', () => {
    const list = defineList(Lamp, { name: 'lamps' });
    expect(() => {
      checkLists([{ list, fixedFilterProperties: ['roomId'] }], () => lamps);
    }).toThrow('list lamps, narrowed by a property: "lamps" has no column for roomId');
  });

  test('two lists of one name, whose cursors would be good for each other', () => {
    expect(() => {
      check(defineList(Lamp, { name: 'lamps' }), defineList(Lamp, { name: 'lamps' }));
    }).toThrow('two lists are called lamps');
  });
});

describe('what is mistyped in a computed value stops the start', () => {
  const tableOf = (target: unknown): EntityTable => lampsTable('watts integer', target);

  test('the column of another entity', () => {
    class Broken {
      @Integer({ computed: (row) => `${row['lumens']!} * 2` })
      doubled: number;
    }
    expect(() => tableOf(Broken)).toThrow('"lamps" has no column for lumens');
  });

  test('computed values may be computed of each other', () => {
    class Lit {
      @Integer({ computed: (row) => `${row['doubled']!} + 1` })
      odd: number;
      @Integer({ computed: ({ watts }) => `${watts!} * 2` })
      doubled: number;
    }
    expect(tableOf(Lit).operand('odd').sql).toBe('(((("lamps"."watts" * 2)::int) + 1)::int)');
  });
});
