import { eventually } from '@plinth/dev/testing';
import { Client } from 'pg';
import { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

import { buildIndex } from '../../packages/core/src/database/build-index.js';
import { migrate } from '../../packages/core/src/database/migrate.js';
import { dataSourceOptions } from '../../packages/core/src/database/data-source-options.js';
import { createDatabase, TestDatabase } from '../support/databases.js';

class IndexConcurrently1795300000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table indexed (id int)');
    // Longer than the statement time-out of the pool, and long enough for other instances to arrive.
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
    // Never called, because the migration always fails.
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

class IndexesOfPets1763700000008 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, 'create index concurrently if not exists pets_name on pets (name)');
    await buildIndex(runner, 'create unique index concurrently if not exists "pets_tag" on pets (tag)');
  }

  async down(): Promise<void> {
    // The test does not revert it.
  }
}

class DoesNotWait1763700000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('lock table read_for_long in access exclusive mode nowait');
  }

  async down(): Promise<void> {
    // Never called, because the migration always fails.
  }
}

describe('running migrations', () => {
  let own: TestDatabase;
  const open: DataSource[] = [];

  beforeAll(async () => {
    own = await createDatabase();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((dataSource) => dataSource.destroy()));
  });
  afterAll(() => own.drop());

  /** An instance whose pool has one connection and a statement time-out of 200 ms. */
  const instance = (...migrations: (new () => MigrationInterface)[]): Promise<DataSource> =>
    instanceAt(own.url, migrations);

  async function instanceAt(url: string, migrations: (new () => MigrationInterface)[]): Promise<DataSource> {
    const options = dataSourceOptions(url, { poolSize: 1, statementTimeoutMs: 200 });
    const dataSource = new DataSource({ ...options, migrations, migrationsTableName: 'tried' });
    open.push(await dataSource.initialize());
    return dataSource;
  }

  it('builds an index concurrently while other instances wait for their turn', async () => {
    const instances = [1, 2, 3].map(() => instance(IndexConcurrently1795300000000));
    const ran = await Promise.all((await Promise.all(instances)).map((instance) => migrate(instance)));
    expect(ran.flat()).toEqual(['IndexConcurrently1795300000000']);
    const valid = `select indisvalid from pg_index where indexrelid = 'indexed_id'::regclass`;
    expect(await own.query(valid)).toEqual([{ indisvalid: true }]);
  });

  it('leaves nothing of a failed migration, and lets the next instance try', async () => {
    for (const attempt of [1, 2]) {
      const failed = migrate(await instance(Fails1763700000001));
      await expect(failed).rejects.toThrow('division by zero');
      expect([attempt, await own.query(`select to_regclass('half_made') as made`)]).toEqual([
        attempt,
        [{ made: null }],
      ]);
    }
  });

  it('keeps what a failed generated migration has completed, and builds the rest on the next run', async () => {
    await own.query(`create table pets as select 'Rex' as name, 1 as tag from generate_series(1, 2)`);
    const state = `select indexrelid::int as oid, indisvalid as "isValid" from pg_index
      where indrelid = 'pets'::regclass order by indexrelid`;
    await expect(migrate(await instance(IndexesOfPets1763700000008))).rejects.toThrow('pets_tag');
    const [whole, givenUp] = await own.query<{ oid: number; isValid: boolean }>(state);
    expect([whole?.isValid, givenUp?.isValid]).toEqual([true, false]);
    await own.query('delete from pets where ctid = (select min(ctid) from pets)');
    expect(await migrate(await instance(IndexesOfPets1763700000008))).toEqual(['IndexesOfPets1763700000008']);
    const after = await own.query<{ oid: number; isValid: boolean }>(state);
    expect(after).toEqual([whole, { oid: expect.any(Number), isValid: true }]);
    expect(after[1]?.oid).not.toBe(givenUp?.oid);
    const other = buildIndex((await instance()).createQueryRunner(), 'create index pets_tags on pets (tag)');
    await expect(other).rejects.toThrow('not "create index concurrently if not exists"');
  });

  describe('while others read a table for long, as pg_dump does', () => {
    let long: Client;
    const waiting = `select from pg_locks where not granted and relation = 'read_for_long'::regclass`;
    const isWaiting = (): Promise<void> =>
      eventually(async () => (await own.query(waiting)).length, 1, 20_000);

    beforeAll(() => own.query('create table read_for_long (id int)'));
    beforeEach(async () => {
      long = new Client({ connectionString: own.url });
      await long.connect();
      await long.query('begin; select from read_for_long');
    });
    afterEach(() => long.end());

    it('gives up with advice, keeps the completed migrations, and continues at the next start', async () => {
      const migrations = [Before1763700000002, Alters1763700000003];
      const migrated = migrate(await instance(...migrations));
      await isWaiting();
      expect(await own.query('select from read_for_long')).toEqual([]);
      await expect(migrated).rejects.toThrow('Start again');
      await long.end();
      expect(await migrate(await instance(...migrations))).toEqual(['Alters1763700000003']);
    });

    it('fails at once if the migration itself does not wait for locks (issue 11)', async () => {
      const failed = migrate(await instance(DoesNotWait1763700000005));
      await expect(failed).rejects.toThrow('could not obtain lock on relation "read_for_long"');
    });
  });
});
