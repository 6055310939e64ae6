import { Client } from 'pg';
import { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';

class IndexConcurrently1795300000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table indexed (id int)');
    // Longer than the statements of the pool may take, and for others to arrive meanwhile.
    await runner.query('select pg_sleep(1)');
    await runner.query('create index concurrently indexed_id on indexed (id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table indexed');
  }
}

class Fails1763700000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table half_made (id int)');
    await runner.query('select 1 / 0');
  }

  async down(): Promise<void> {
    // Never done, so never undone.
  }
}

class Before1763700000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table before (id int)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table before');
  }
}

class Alters1763700000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table read_for_long add column note text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table read_for_long drop column note');
  }
}

describe('migrating', () => {
  let own: TestDatabase;
  const open: DataSource[] = [];

  beforeAll(async () => {
    own = await createDatabase();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((dataSource) => dataSource.destroy()));
  });
  afterAll(() => own.drop());

  /** An instance with a pool of one connection, on which statements may take 200 ms. */
  async function instance(...migrations: (new () => MigrationInterface)[]): Promise<DataSource> {
    const options = dataSourceOptions(own.url, { poolSize: 1, statementTimeoutMs: 200 });
    const dataSource = new DataSource({ ...options, migrations, migrationsTableName: 'tried' });
    open.push(await dataSource.initialize());
    return dataSource;
  }

  it('F7, F8: builds an index concurrently while others wait for their turn', async () => {
    const instances = [1, 2, 3].map(() => instance(IndexConcurrently1795300000000));
    const ran = await Promise.all((await Promise.all(instances)).map((instance) => migrate(instance)));
    expect(ran.flat()).toEqual(['IndexConcurrently1795300000000']);
    const valid = `select indisvalid from pg_index where indexrelid = 'indexed_id'::regclass`;
    expect(await own.query(valid)).toEqual([{ indisvalid: true }]);
  });

  it('leaves nothing of a migration that fails, and lets the next instance try', async () => {
    for (const attempt of [1, 2]) {
      const failed = migrate(await instance(Fails1763700000001));
      await expect(failed).rejects.toThrow('division by zero');
      expect([attempt, await own.query(`select to_regclass('half_made') as made`)]).toEqual([
        attempt,
        [{ made: null }],
      ]);
    }
  });

  it('reads go on while a migration waits for one that takes long, as pg_dump does', async () => {
    await own.query('create table read_for_long (id int)');
    const long = new Client({ connectionString: own.url });
    await long.connect();
    await long.query('begin; select from read_for_long');
    const migrated = migrate(await instance(Before1763700000002, Alters1763700000003));
    const waiting = `select from pg_locks where not granted and relation = 'read_for_long'::regclass`;
    await eventually(async () => (await own.query(waiting)).length, 1, 20_000);
    expect(await own.query('select from read_for_long')).toEqual([]);
    // And the migration tries again.
    await eventually(async () => (await own.query(waiting)).length, 1, 20_000);
    await long.end();
    expect(await migrated).toEqual(['Before1763700000002', 'Alters1763700000003']);
  });
});
