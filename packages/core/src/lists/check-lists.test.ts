import 'reflect-metadata';

import { lampsTable } from '../../test/lamps-table.js';
import { EntityTable } from '../database/entity-table.js';
import { checkLists } from './check-lists.js';
import { PermissionList } from '../access/permissions.js';
import { Json, TextArray } from '../fields/collections.js';
import { Id, Integer, Nested, Text, Timestamp } from '../fields/fields.js';
import * as kinds from '../fields/fields.js';
import { contains } from './contains.js';
import { atLeast, equals, Filter, where } from './filters.js';
import { defineList, ListDefinition } from './list-definition.js';

class Town {
  @Text({ max: 20 })
  name: string;
}

class Maker {
  @Text({ max: 20 })
  name: string;
  @Nested(Town)
  town: Town;
}

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
  @TextArray({ maxItems: 3, max: 10 })
  tags: string[];
  @TextArray({ maxItems: 3, max: 651 })
  notes: string[];
  @Json({ type: Maker })
  maker: Maker;
}

const lamps = lampsTable(
  'id integer, createdAt timestamptz, name varchar, nick varchar null, watts integer null, shape jsonb null, sockets varchar[], secret varchar, ' +
    'tags varchar[], notes varchar[], maker jsonb, moments timestamptz[]',
);

const check = (...lists: ListDefinition[]): void => {
  checkLists(
    lists.map((list) => ({ list })),
    () => lamps,
  );
};

/** Lets the compiler accept a filter on a property that does not exist. */
const untyped = (filter: unknown): { it: Filter<Lamp> } => ({ it: filter as Filter<Lamp> });

describe('the check of lists at start', () => {
  test('accepts correct lists, used by any number of routes', () => {
    const list = defineList(Lamp, {
      name: 'lamps',
      filters: {
        name: equals('name'),
        lampId: equals('id'),
        tag: contains('tags'),
        maker: contains('maker', 'name'),
        town: contains('maker', 'town', 'name'),
      },
      sorts: ['createdAt', 'nick', 'watts'],
      defaultSort: 'nick:asc',
    });
    expect(() => {
      check(list, list, defineList(Lamp, { name: 'others' }));
    }).not.toThrow();
  });

  test.each<[string, () => ListDefinition, string]>([
    [
      'a filter on a property that does not exist',
      () => defineList(Lamp, { name: 'lamps', filters: untyped(equals('color')) }),
      'list lamps, filter it: Lamp has no field color',
    ],
    [
      'a filter whose SQL names a column that does not exist',
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
      'a filter whose SQL does not use the value',
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
      'list lamps, filter socket: a query parameter cannot be an array of strings',
    ],
    [
      'a filter on a property that no response shows',
      () => defineList(Lamp, { name: 'lamps', filters: { secret: equals('secret') } }),
      'list lamps, filter secret: secret is never shown',
    ],
    [
      'a range filter on text, whose order clients do not know',
      () => defineList(Lamp, { name: 'lamps', filters: { from: atLeast('name') } }),
      'list lamps, filter from: must compare a number, a day or a time',
    ],
    [
      'a condition on a column that does not exist',
      () => defineList(Lamp, { name: 'lamps', only: (row) => (row as unknown as { lumens: string }).lumens }),
      'list lamps, only: "lamps" has no column for lumens',
    ],
    [
      'a sort by a property that does not exist',
      () => defineList(Lamp, { name: 'lamps', sorts: ['size' as 'name'] }),
      'list lamps, sort size: "lamps" has no column for size',
    ],
    [
      'a sort by a property that no response shows',
      () => defineList(Lamp, { name: 'lamps', sorts: ['secret'] }),
      'list lamps, sort secret: secret is never shown',
    ],
    [
      'a sort without an index that the list does not offer',
      () => defineList(Lamp, { name: 'lamps', sorts: ['watts'], unindexed: ['watt'] }),
      'list lamps, unindexed: must name a sort or a filter of the list (got watt)',
    ],
    [
      'a facet of a property that no response shows',
      () => defineList(Lamp, { name: 'lamps', facets: { secret: 'count' } }),
      'list lamps, facet secret: secret is never shown',
    ],
    [
      'a range facet of a text',
      () => defineList(Lamp, { name: 'lamps', facets: { name: 'range' } }),
      'list lamps, facet name: must compare a number, a day or a time',
    ],
    [
      'a facet of an array',
      () => defineList(Lamp, { name: 'lamps', facets: { sockets: 'count' } }),
      'list lamps, facet sockets: a query parameter cannot be an array of strings',
    ],
    [
      'a default sort that the list does not offer',
      () => defineList(Lamp, { name: 'lamps', defaultSort: 'name:asc' }),
      'list lamps, default sort: must sort by createdAt',
    ],
    [
      'a filter with the name of a common parameter',
      () => defineList(Lamp, { name: 'lamps', filters: { page: equals('name') } }),
      'list lamps, filter page: the parameter means something else in every list',
    ],
    [
      'a sort by a column of type jsonb',
      () => defineList(Lamp, { name: 'lamps', sorts: ['shape'] }),
      'list lamps, sort shape: rows cannot be sorted by a value of type jsonb',
    ],
    [
      'a sort by an array',
      () => defineList(Lamp, { name: 'lamps', sorts: ['tags'] }),
      'list lamps, sort tags: rows cannot be sorted by a value of type varchar[]',
    ],
    [
      'a sort by an array of times',
      () => defineList(Lamp, { name: 'lamps', sorts: ['moments' as 'tags'] }),
      'list lamps, sort moments: rows cannot be sorted by a value of type timestamptz[]',
    ],
    [
      'a sort by JSON',
      () => defineList(Lamp, { name: 'lamps', sorts: ['maker'] }),
      'list lamps, sort maker: rows cannot be sorted by a value of type jsonb',
    ],
    [
      'totals by an array',
      () => defineList(Lamp, { name: 'lamps', filters: { tag: contains('tags') }, totals: ['tags'] }),
      'list lamps, totals: rows cannot be counted by tags, of type varchar[]',
    ],
    [
      'a search in an array',
      () => defineList(Lamp, { name: 'lamps', search: { tags: 'A' } }),
      'list lamps, search: tags must be a text that responses show',
    ],
    ...(
      [
        ['a text', contains('name'), 'must name an array, or JSON and one of its members (got name)'],
        [
          'JSON without a member',
          contains('maker'),
          'must name an array, or JSON and one of its members (got maker)',
        ],
        [
          'an unknown member',
          contains('maker', 'size'),
          'must name an array, or JSON and one of its members (got maker.size)',
        ],
        ['a member of a text', contains('maker', 'name', 'x'), '(got maker.name.x)'],
        ['a member of an array', contains('tags', 'length'), '(got tags.length)'],
        ['an array without an item type', contains('sockets'), '(got sockets)'],
        ['an object in JSON', contains('maker', 'town'), 'a query parameter cannot be an object'],
        [
          'an array whose texts are too long for an index',
          contains('notes'),
          'must compare texts of at most 650 characters, which its index can store (got 651)',
        ],
      ] as const
    ).map(([what, filter, message]): [string, () => ListDefinition, string] => [
      `contains() of ${what}`,
      () => defineList(Lamp, { name: 'lamps', filters: { it: filter } }),
      message,
    ]),
  ])('refuses %s', (_name, list, message) => {
    expect(() => {
      check(list());
    }).toThrow(message);
  });

  test('refuses a fixed filter on a column that does not exist', () => {
    const list = defineList(Lamp, { name: 'lamps' });
    expect(() => {
      checkLists([{ list, fixedFilterProperties: ['roomId'] }], () => lamps);
    }).toThrow('list lamps, fixed filter: "lamps" has no column for roomId');
  });

  test('refuses two lists of the same name, because each would accept the cursors of the other', () => {
    expect(() => {
      check(defineList(Lamp, { name: 'lamps' }), defineList(Lamp, { name: 'lamps' }));
    }).toThrow('two lists are called lamps');
  });
});

describe('the SQL of a computed value', () => {
  const tableOf = (target: unknown): EntityTable => lampsTable('watts integer', target);

  test('is refused at start if it names a column that does not exist', () => {
    class Broken {
      @Integer({ computed: (row) => `${row['lumens']!} * 2` })
      doubled: number;
    }
    expect(() => tableOf(Broken)).toThrow('"lamps" has no column for lumens');
  });

  test('may use other computed values', () => {
    class Lit {
      @Integer({ computed: (row) => `${row['doubled']!} + 1` })
      odd: number;
      @Integer({ computed: ({ watts }) => `${watts!} * 2` })
      doubled: number;
    }
    expect(tableOf(Lit).operand('odd').sql).toBe('(((("lamps"."watts" * 2)::int) + 1)::int)');
  });
});
