import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { Column, DataSource, Entity, EntitySchema, PrimaryColumn } from 'typeorm';

import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import { MIGRATIONS } from '../../src/database/migrations/migrations.js';
import { createDatabase, TestDatabase } from '../support/databases.js';

type EntityClass = new () => object;

const SRC = join(process.cwd(), 'src');

/** Every entity there is, whether or not a module has it. */
async function entities(): Promise<EntityClass[]> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.entity.ts'),
  );
  const modules = await Promise.all(files.map((file) => import(join(SRC, file)) as Promise<object>));
  return modules.flatMap((module) => Object.values(module).filter((value) => typeof value === 'function'));
}

/** What a database is made of: columns, constraints and indexes, as PostgreSQL writes them down. */
const SCHEMA = `
  select 'column' as kind, table_name || '.' || column_name as name, concat_ws(' ', data_type, character_maximum_length,
    numeric_precision, numeric_scale, datetime_precision, collation_name, is_nullable, column_default, is_identity) as definition
  from information_schema.columns where table_schema = 'public'
  union all
  select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace
  union all
  select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
  union all
  select 'function', proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace
  order by 1, 2`;

describe('migrations', () => {
  let database: TestDatabase;
  let open: DataSource[];

  beforeEach(async () => {
    database = await createDatabase();
    open = [];
  });
  afterEach(async () => {
    for (const dataSource of open) await dataSource.destroy();
    await database.drop();
  });

  async function connect(...others: EntityClass[]): Promise<DataSource> {
    const options = dataSourceOptions(database.url, { poolSize: 2, statementTimeoutMs: 30_000 });
    const all: (EntityClass | EntitySchema)[] = [...(await entities()), ...others];
    const dataSource = await new DataSource({ ...options, entities: all }).initialize();
    open.push(dataSource);
    return dataSource;
  }

  const missing = async (dataSource: DataSource): Promise<string[]> =>
    (await dataSource.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);

  it('make what the entities say', async () => {
    const dataSource = await connect();
    expect(dataSource.entityMetadatas.length).toBeGreaterThan(1);
    expect(await missing(dataSource)).toEqual([]);
  });

  it('would be found wanting by an entity that they know nothing of', async () => {
    @Entity('forgotten')
    class ForgottenEntity {
      @PrimaryColumn('int')
      id: number;

      @Column('int')
      size: number;
    }
    expect(await missing(await connect(ForgottenEntity))).toEqual([expect.stringContaining('"forgotten"')]);
  });

  it('can be taken back to nothing, and run again to the same', async () => {
    const dataSource = await connect();
    const before = await database.query(SCHEMA);
    for (const _ of MIGRATIONS) await dataSource.undoLastMigration({ transaction: 'each' });
    const left = await database.query<{ name: string }>(SCHEMA);
    expect(left.filter(({ name }) => !name.startsWith('migrations') && !name.startsWith('PK_'))).toEqual([]);
    expect(await migrate(dataSource)).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(await database.query(SCHEMA)).toEqual(before);
    expect(before.length).toBeGreaterThan(20);
  });

  it('have nothing to do a second time', async () => {
    expect(await migrate(await connect())).toEqual([]);
  });

  it('are listed, in order, as the folder has them', () => {
    const files = readdirSync(join(SRC, 'database/migrations')).filter((file) => file !== 'migrations.ts');
    // 1763600000000-create-products.ts → CreateProducts1763600000000
    const names = files.sort().map((file) => {
      const [, time = '', words = ''] = /^(\d{13})-([a-z0-9-]+)\.ts$/.exec(file) ?? [];
      return words.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()) + time;
    });
    expect(MIGRATIONS.map(({ name }) => name)).toEqual(names);
  });
});
