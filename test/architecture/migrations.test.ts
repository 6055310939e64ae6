import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';

import { migrate } from '../../packages/core/src/database/migrate.js';
import { BASE_MIGRATIONS } from '../../packages/core/src/database/migrations/migrations.js';
import { MIGRATIONS } from '../../src/migrations/migrations.js';
import { findChanges } from '../../packages/dev/src/migrations/changes.js';
import { declarationsIn, EntityClass } from '../../packages/dev/src/migrations/scratch.js';
import { useChangingDatabase } from '../support/changing-database.js';
import { SOURCE_FOLDERS } from '../support/source-folders.js';

/** All migrations, ordered by the timestamps in their names. */
const ALL = [...BASE_MIGRATIONS, ...MIGRATIONS].toSorted(
  (a, b) => Number(/\d+$/.exec(a.name)?.[0]) - Number(/\d+$/.exec(b.name)?.[0]),
);

/** Columns, constraints, indexes, functions and triggers, as PostgreSQL describes them. */
const SCHEMA = `
  select 'column' as kind, table_name || '.' || column_name as name, concat_ws(' ', data_type, udt_name,
    character_maximum_length, numeric_precision, numeric_scale, datetime_precision, collation_name, is_nullable,
    column_default, is_identity) as definition
  from information_schema.columns where table_schema = 'public'
  union all
  select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace
  union all
  select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
  union all
  select 'function', proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  order by 1, 2`;
const schemaOf = (dataSource: DataSource): Promise<{ name: string }[]> => dataSource.query(SCHEMA);

/** That the migrations create what the code declares is checked in test/application/laws.test.ts. */
describe('migrations', () => {
  const database = useChangingDatabase();

  /** Connects with every entity that exists, whether or not a module uses it. */
  async function connect(...others: EntityClass[]): Promise<DataSource> {
    const { entities } = await declarationsIn(...SOURCE_FOLDERS);
    return database.connect({ migrations: ALL, entities: [...entities, ...others] });
  }

  /** The statements that `npm run migration:generate` would write. */
  const missing = async (dataSource: DataSource): Promise<readonly string[]> =>
    (await findChanges(dataSource, (await declarationsIn(...SOURCE_FOLDERS)).lists)).up;

  it('are reported as incomplete if they do not know an entity', async () => {
    @Entity('forgotten')
    class ForgottenEntity {
      @PrimaryColumn('int')
      id: number;

      @Column('int')
      size: number;
    }
    expect(await missing(await connect(ForgottenEntity))).toEqual([
      expect.stringContaining('CREATE TABLE "forgotten"'),
    ]);
  });

  it('can be reverted to an empty database, and run again with the same result', async () => {
    const dataSource = await connect();
    const before = await schemaOf(dataSource);
    for (const _ of ALL) await dataSource.undoLastMigration({ transaction: 'none' });
    const left = await schemaOf(dataSource);
    expect(left.filter(({ name }) => !name.startsWith('migrations') && !name.startsWith('PK_'))).toEqual([]);
    const names = ALL.map(({ name }) => name);
    expect(await migrate(dataSource)).toEqual(
      names.toSorted((a, b) => a.slice(-13).localeCompare(b.slice(-13))),
    );
    expect(await schemaOf(dataSource)).toEqual(before);
    expect(before.length).toBeGreaterThan(20);
  });
});
