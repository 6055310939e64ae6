import fc from 'fast-check';
import { EntityMetadata } from 'typeorm';

import { UNCONDITIONAL, Preconditions } from '../http/caching/preconditions.js';
import { RowScope } from './row-scope.js';
import { Table } from './table.js';
import { insertStatement, updateStatement } from './write-sql.js';

// What the statements do is tested against PostgreSQL; here, that they are made of what is declared alone.

const lamps = new Table({
  tableName: 'lamps',
  columns: [
    { propertyName: 'id', databaseName: 'id', type: 'integer', isSelect: true },
    { propertyName: 'name', databaseName: 'name', type: 'varchar', isSelect: true },
    { propertyName: 'inStock', databaseName: 'in_stock', type: 'boolean', isSelect: true },
    { propertyName: 'secret', databaseName: 'secret', type: 'varchar', isSelect: false },
  ],
  dataSource: { driver: { normalizeType: ({ type }: { type: string }) => type } },
} as unknown as EntityMetadata);

const ALL: RowScope = { except: [], anyOf: null };

const conditions = (parts: Partial<Preconditions>): Preconditions => ({ ...UNCONDITIONAL, ...parts });

test('the order of a body’s members makes no statement of its own: each would be prepared on each connection', () => {
  const insert = (values: object) => insertStatement(lamps, values as never);
  expect(insert({ name: 'Oak', inStock: true })).toEqual(insert({ inStock: true, name: 'Oak' }));
  const update = (values: object) => updateStatement(lamps, { id: 7 }, ALL, values as never, UNCONDITIONAL);
  expect(update({ name: 'Oak', inStock: true })).toEqual(update({ inStock: true, name: 'Oak' }));
});

test('whatever the values, the text is the same, and so is its name', () => {
  const insert = insertStatement(lamps, { name: 'Oak', secret: null });
  const update = updateStatement(
    lamps,
    { id: 7 },
    ALL,
    { name: 'Oak', secret: null },
    conditions({ versions: [1] }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer(), (value, number) => {
      const values = { name: value, secret: value };
      expect(insertStatement(lamps, values)).toEqual({ ...insert, values: [value, value] });
      expect(updateStatement(lamps, { id: number }, ALL, values, conditions({ versions: [number] }))).toEqual(
        {
          ...update,
          values: [number, value, value, [number]],
        },
      );
    }),
  );
});

test.each(['colour', 'constructor', '__proto__', 'name" = 1; --', 'in_stock'])(
  'a property that the table does not have is refused: %s',
  (property) => {
    const values = Object.fromEntries([[property, 1]]);
    expect(() => insertStatement(lamps, values)).toThrow(`"lamps" has no column for ${property}`);
    expect(() => updateStatement(lamps, { id: 1 }, ALL, values, UNCONDITIONAL)).toThrow('has no column for');
  },
);
