import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

import { buildIndex } from '../../src/database/build-index.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import { MigrationLockError, MigrationLocks } from '../../src/database/migration-locks.js';
import { MigrationLog } from '../../src/database/migration-log.js';
import { MIGRATION_LOCK, MigrationWaits } from '../../src/database/migration-waits.js';
import { StockInIndexes1795340000000 } from '../../src/database/migrations/1795340000000-stock-in-indexes.js';
import { migrationParts } from '../../tools/migrations/migration-parts.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { TcpProxy } from '../support/tcp-proxy.js';

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

class AltersAlone1763700000004 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table read_for_long add column alone text');
    await runner.query('create index concurrently read_for_long_alone on read_for_long (alone)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table read_for_long drop column alone');
  }
}

class IndexesWhatIsRead1763700000006 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists read_for_long_id');
    await runner.query('create index concurrently read_for_long_id on read_for_long (id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index read_for_long_id');
  }
}

class IndexesOfPets1763700000008 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const indexes = ['create index pets_name on pets (name)', 'create unique index pets_tag on pets (tag)'];
    const [generated] = migrationParts('indexes-of-pets', { up: indexes, down: [] });
    for (const statement of generated!.up) await buildIndex(runner, statement);
  }

  async down(): Promise<void> {
    // Never taken back.
  }
}

class TakesLong1763700000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('select pg_sleep(300)');
  }

  async down(): Promise<void> {
    // Nothing was done.
  }
}

class DoesNotWait1763700000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('lock table read_for_long in access exclusive mode nowait');
  }

  async down(): Promise<void> {
    // Nothing was done.
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
  const instance = (...migrations: (new () => MigrationInterface)[]): Promise<DataSource> =>
    instanceAt(own.url, migrations);

  async function instanceAt(url: string, migrations: (new () => MigrationInterface)[]): Promise<DataSource> {
    const options = dataSourceOptions(url, { poolSize: 1, statementTimeoutMs: 200 });
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

  it('an interrupted migration of indexes keeps those that are whole, and builds the others', async () => {
    const state = `select c.oid::int as oid, indisvalid as "isValid" from pg_index join pg_class c on c.oid = indexrelid
      where relname like 'products_category_%_stock' order by relname`;
    const before = await own.query<{ oid: number }>(state);
    expect(before).toHaveLength(5);
    const [givenUp, ...whole] = before;
    await own.query('update pg_index set indisvalid = false where indexrelid = $1', [givenUp?.oid]);
    await migrate(await instance(StockInIndexes1795340000000));
    const after = await own.query<{ oid: number; isValid: boolean }>(state);
    const oids = after.map(({ oid }) => oid);
    expect(after.map(({ isValid }) => isValid)).toEqual([true, true, true, true, true]);
    expect(whole.map(({ oid }) => oids.includes(oid))).toEqual([true, true, true, true]);
    expect(oids).not.toContain(givenUp?.oid);
  });

  it('a generated migration that failed keeps what is whole when it is run again, and builds the rest', async () => {
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

  it('a process that is gone leaves neither the lock of migrations nor a transaction', async () => {
    const proxy = await TcpProxy.to(own.url);
    const migrated = migrate(await instanceAt(proxy.urlOf(own.url), [TakesLong1763700000007]));
    const sleeps = `select from pg_stat_activity where query = 'select pg_sleep(300)' and state = 'active'`;
    await eventually(async () => (await own.query(sleeps)).length, 1, 20_000);
    proxy.cut();
    await expect(migrated).rejects.toThrow('Connection terminated');
    const held = `select from pg_locks where locktype = 'advisory' and objid = ${MIGRATION_LOCK}`;
    await eventually(async () => (await own.query(`${held} union all ${sleeps}`)).length, 0, 20_000);
    await proxy.refuse();
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

    it('lets reads go on, and tries again in silence of TypeORM', async () => {
      const printed = jest.spyOn(console, 'log');
      const migrated = migrate(await instance(Before1763700000002, Alters1763700000003));
      await isWaiting();
      expect(await own.query('select from read_for_long')).toEqual([]);
      await eventually(async () => (await own.query(waiting)).length, 0, 20_000);
      await isWaiting();
      await long.end();
      expect(await migrated).toEqual(['Before1763700000002', 'Alters1763700000003']);
      expect(printed).not.toHaveBeenCalled();
      printed.mockRestore();
    });

    it('(issue 11) lets reads go on outside a transaction too; an index is built concurrently in one go', async () => {
      const migrated = migrate(await instance(AltersAlone1763700000004));
      await isWaiting();
      expect(await own.query('select from read_for_long')).toEqual([]);
      await eventually(async () => (await own.query(waiting)).length, 0, 20_000);
      await long.query('commit; begin isolation level repeatable read; select 1');
      // The index waits for that snapshot for longer than statements that lock a table may.
      const waitsSince = `select from pg_stat_activity where query like 'create index concurrently%'
        and wait_event_type = 'Lock' and state_change < clock_timestamp() - interval '1500 ms'`;
      await eventually(async () => (await own.query(waitsSince)).length, 1, 30_000);
      await long.query('commit');
      expect(await migrated).toEqual(['AltersAlone1763700000004']);
      const valid = `select indisvalid from pg_index where indexrelid = 'read_for_long_alone'::regclass`;
      expect(await own.query(valid)).toEqual([{ indisvalid: true }]);
    });

    it('the log says what is waited for: a session, and whose turn it is', async () => {
      const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
      const saidThat = (pattern: RegExp): Promise<void> =>
        eventually(async () => warned.mock.calls.some(([text]) => pattern.test(String(text))), true, 20_000);
      await long.query('commit; begin isolation level repeatable read; select 1');
      const waits = new MigrationWaits(await instance(), 50);
      const [{ pid } = { pid: 0 }] = (await long.query<{ pid: number }>('select pg_backend_pid() as pid'))
        .rows;
      const migrated = migrate(await instance(IndexesWhatIsRead1763700000006));
      await waits.during(async () => {
        await saidThat(
          new RegExp(`^Migrations wait for session ${pid} \\(.*transaction since 20.*let it end`),
        );
        await waits.forTurn(() => saidThat(/^This instance waits for its turn: session \d+ \(.* migrates\./));
      });
      warned.mockRestore();
      await long.query('commit');
      expect(await migrated).toEqual(['IndexesWhatIsRead1763700000006']);
    });

    it('(issue 11) fails at once where the migration itself does not want to wait', async () => {
      const failed = migrate(await instance(DoesNotWait1763700000005));
      await expect(failed).rejects.toThrow('could not obtain lock on relation "read_for_long"');
    });

    it('(issue 11) gives up in the end, and says what to do', async () => {
      const runner = (await instance()).createQueryRunner();
      await runner.query('set statement_timeout = 0');
      const locks = new MigrationLocks(runner, undefined, 1);
      const alter = async (): Promise<void> => {
        await runner.startTransaction();
        try {
          await runner.query('alter table read_for_long add column never int');
        } finally {
          await runner.rollbackTransaction();
        }
      };
      const error = await locks.retry(alter, new MigrationLog()).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(MigrationLockError);
      expect((error as Error).message).toMatch(/was not done .* migrate again; "select pid/);
      await locks.boundSession();
      const alone = runner.query('alter table read_for_long add column never int');
      await expect(alone).rejects.toThrow(MigrationLockError);
    });
  });
});
