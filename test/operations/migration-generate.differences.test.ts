import { ChildEntity, Column, ColumnOptions, Entity, PrimaryColumn, TableInheritance } from 'typeorm';

import { findChanges } from '../../packages/dev/src/migrations/changes.js';
import { Statements } from '../../packages/dev/src/migrations/migration-files.js';
import { EntityClass } from '../../packages/dev/src/migrations/scratch.js';
import { useChangingDatabase } from '../support/changing-database.js';

const COLORS = ['red', 'blue'];
const NAMED_BY_DEFAULT: ColumnOptions = { type: 'enum', enum: COLORS, enumName: 'scratch_v_enum' };
const MONEY: ColumnOptions = { type: 'numeric', precision: 12, scale: 2 };

const entityWith = (options: ColumnOptions, schema?: string): EntityClass => {
  @Entity({ name: 'scratch', schema })
  class Scratch {
    @PrimaryColumn('int')
    id: number;

    @Column(options)
    v: unknown;

    /** TypeORM never finds this column as it is declared. */
    @Column({ ...MONEY, default: 2.5 })
    other: number;
  }
  return Scratch;
};

class Paint {
  @Column({ type: 'enum', enum: COLORS, enumName: 'scratch_paint_color_enum', default: 'red' })
  color: string;
}

@Entity('scratch')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
class Vehicle {
  @PrimaryColumn('int')
  id: number;

  @Column(() => Paint)
  paint: Paint;
}

@ChildEntity()
class Boat extends Vehicle {
  @Column({ type: 'enum', enum: COLORS, enumName: 'scratch_sail_enum' })
  sail: string;
}

/** Declarations that TypeORM compares as text with the definitions in PostgreSQL. */
const SAME: Readonly<Record<string, EntityClass[]>> = {
  'an enum whose name is the default of TypeORM': [entityWith(NAMED_BY_DEFAULT)],
  'such an enum with a default': [entityWith({ ...NAMED_BY_DEFAULT, default: 'red' })],
  'an array of such an enum': [entityWith({ ...NAMED_BY_DEFAULT, array: true, default: ['red'] })],
  'such an enum in another schema': [entityWith(NAMED_BY_DEFAULT, 'elsewhere')],
  'such enums of an embedded and of a child entity': [Vehicle, Boat],
  'an enum with a name of its own': [entityWith({ type: 'enum', enum: COLORS, enumName: 'colors' })],
  'a fraction': [entityWith({ ...MONEY, default: 1.5 })],
  'a fraction without a scale': [entityWith({ type: 'numeric', default: '1.5' })],
  'a number of the type money': [entityWith({ type: 'money', default: 1 })],
  'a time of day': [entityWith({ type: 'time', default: '10:00' })],
  'a moment': [entityWith({ type: 'timestamptz', default: '2024-01-01T00:00:00Z' })],
  'a moment from now': [entityWith({ type: 'timestamptz', default: () => `now() + interval '1 day'` })],
  'an interval': [entityWith({ type: 'interval', default: () => `interval '1 hour'` })],
  'a sum': [entityWith({ type: 'int', default: () => '1 + 1' })],
  'a cast': [entityWith({ type: 'jsonb', default: () => `'{}'::jsonb` })],
  'an array that is made by a constructor': [
    entityWith({ type: 'text', array: true, default: () => 'ARRAY[]::text[]' }),
  ],
  bits: [entityWith({ type: 'bit', length: 3, default: () => `B'101'` })],
  'a function of UUIDs': [entityWith({ type: 'uuid', default: () => 'gen_random_uuid()' })],
  'a generated column': [entityWith({ type: 'text', generatedType: 'STORED', asExpression: `'a' || id` })],
};

describe('migration:generate, when the database matches the declarations', () => {
  const database = useChangingDatabase();
  const changes = async (entities: EntityClass[], isDraft = false): Promise<Statements> =>
    findChanges(await database.connect({ entities }), [], isDraft);

  it.each(Object.entries(SAME))('finds no difference for %s', async (_, entities) => {
    await database.query('create schema elsewhere');
    await changes(entities, true);
    expect((await changes(entities)).up).toEqual([]);
  });

  it.each([
    [
      'another default',
      { ...MONEY, default: 2 },
      { ...MONEY, default: 1.5 },
      [`ALTER COLUMN "v" SET DEFAULT '1.5'`],
    ],
    ['a removed default', { ...MONEY, default: 1.5 }, MONEY, ['ALTER COLUMN "v" DROP DEFAULT']],
    [
      'another value of an enum',
      { ...NAMED_BY_DEFAULT, default: 'red' },
      { ...NAMED_BY_DEFAULT, enum: [...COLORS, 'green'], default: 'red' },
      [`ADD VALUE 'green'`],
    ],
  ] satisfies [string, ColumnOptions, ColumnOptions, string[]][])(
    'finds exactly one difference for %s',
    async (_, before, after, actions) => {
      await changes([entityWith(before)]);
      const { up } = await changes([entityWith(after)]);
      expect(up.map((statement) => statement.replace(/^ALTER (?:TABLE|TYPE) \S+ /, ''))).toEqual(actions);
      expect((await changes([entityWith(after)])).up).toEqual([]);
    },
  );

  it('finds a removed value of an enum, and can be reverted', async () => {
    await changes([entityWith({ ...NAMED_BY_DEFAULT, default: 'red' })]);
    const fewer = entityWith({ ...NAMED_BY_DEFAULT, enum: ['red'], default: 'red' });
    await expect(changes([fewer])).rejects.toThrow('may not keep every value');
    const { up, down } = await changes([fewer], true);
    expect(up).toContain(`CREATE TYPE "public"."scratch_v_enum" AS ENUM('red')`);
    expect([...up, ...down].join()).not.toContain('"other"');
    for (const statement of down) await database.query(statement);
    expect((await changes([entityWith({ ...NAMED_BY_DEFAULT, default: 'red' })])).up).toEqual([]);
  });
});
