import { EntityMetadata } from 'typeorm';

import { Table } from '../database/table.js';
import { checkLists } from './check-lists.js';
import { defineList, equalsId, equalsText, Filter, ListDefinition } from './list-definition.js';

class Lamp {
  id: number;
  createdAt: string;
  name: string;
  nick: string | null;
  watts: number | null;
  shape: object | null;
}

const column = (propertyName: string, type: string, isNullable = false): object => ({
  propertyName,
  databaseName: propertyName,
  type,
  isNullable,
  isSelect: true,
});

const lamps = new Table({
  tableName: 'lamps',
  columns: [
    column('id', 'integer'),
    column('createdAt', 'timestamptz'),
    column('name', 'varchar'),
    column('nick', 'varchar', true),
    column('watts', 'integer', true),
    column('shape', 'jsonb', true),
  ],
  dataSource: { driver: { normalizeType: ({ type }: { type: string }) => type } },
} as unknown as EntityMetadata);

const check = (...lists: ListDefinition[]): void => {
  checkLists(
    lists.map((list) => ({ list })),
    () => lamps,
  );
};

const mistyped = (property: string): Filter<'name'> => equalsText(property) as Filter<'name'>;

describe('E7: what is mistyped in a list stops the start', () => {
  test('lists that are right pass, in any number of routes', () => {
    const list = defineList(Lamp, {
      name: 'lamps',
      filters: { name: equalsText('name'), lampId: equalsId('id') },
      sorts: ['createdAt', 'nick', 'watts'],
      defaultSort: 'nick:asc',
    });
    expect(() => {
      check(list, list, defineList(Lamp, { name: 'others' }));
    }).not.toThrow();
  });

  test.each<[string, ListDefinition, string]>([
    [
      'a filter',
      defineList(Lamp, { name: 'lamps', filters: { colour: mistyped('color') } }),
      'list lamps, filter colour: "lamps" has no column for color',
    ],
    [
      'a sort',
      defineList(Lamp, { name: 'lamps', sorts: ['size' as 'name'] }),
      'list lamps, sort size: "lamps" has no column for size',
    ],
    [
      'a range',
      defineList(Lamp, {
        name: 'lamps',
        filters: { name: equalsText('name') },
        ranges: [['name', 'nam' as 'name']],
      }),
      'list lamps, ranges: there is no filter nam',
    ],
    [
      'the default sort',
      defineList(Lamp, { name: 'lamps', defaultSort: 'name:asc' }),
      'list lamps, default sort: got "name", takes the fields createdAt',
    ],
    [
      'a filter that every list has',
      defineList(Lamp, { name: 'lamps', filters: { page: equalsText('name') } }),
      'list lamps, filter page: the parameter means something else in every list',
    ],
    [
      'E2: a sort whose nulls have no place',
      defineList(Lamp, { name: 'lamps', sorts: ['shape'] }),
      'list lamps, sort shape: nothing stands for null in a column of type jsonb',
    ],
  ])('%s', (_name, list, message) => {
    expect(() => {
      check(list);
    }).toThrow(message);
  });

  test('what a list is narrowed by', () => {
    const list = defineList(Lamp, { name: 'lamps' });
    expect(() => {
      checkLists([{ list, narrowedBy: ['roomId'] }], () => lamps);
    }).toThrow('list lamps, narrowed by a property: "lamps" has no column for roomId');
  });

  test('two lists of one name, whose cursors would be good for each other', () => {
    expect(() => {
      check(defineList(Lamp, { name: 'lamps' }), defineList(Lamp, { name: 'lamps' }));
    }).toThrow('two lists are called lamps');
  });
});
