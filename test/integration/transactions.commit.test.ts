import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@plinth/dev/testing';
import { Client } from 'pg';
import { Entity, PrimaryColumn, Repository } from 'typeorm';

import { SqlExecutor } from '../../packages/core/src/database/sql-executor.js';
import { translateDatabaseError } from '../../packages/core/src/database/database-error.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { openDatabase, OpenDatabase, sessionOf } from '../support/open-database.js';
import { TcpProxy } from '../support/tcp-proxy.mjs';

@Entity('noted')
class Noted {
  @PrimaryColumn({ type: 'int' })
  id: number;
}

const insert = (on: SqlExecutor, id: number): Promise<object[]> =>
  on.query({ text: 'insert into noted (id) values ($1)', values: [id] });

/** The status and code with which a client gets the error of a promise. */
const answerTo = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: unknown) => {
      const type = translateDatabaseError(error)?.type;
      return type ? `${type.status} ${type.code}` : `500 ${String(error)}`;
    },
  );

describe('the end of a transaction', () => {
  let own: TestDatabase;
  let proxy: TcpProxy;
  let open: OpenDatabase;

  beforeAll(async () => {
    own = await createDatabase();
    // The commit waits for a lock if the row says so.
    await own.query(`
      create table noted (id int primary key, waits bool default false);
      create function wait() returns trigger language plpgsql as $$
        begin if new.waits then perform pg_advisory_xact_lock(1); end if; return null; end $$;
      create constraint trigger wait after insert on noted deferrable initially deferred
        for each row execute function wait()`);
    proxy = await TcpProxy.to(own.url);
    open = await openDatabase(proxy.urlOf(own.url), { poolSize: 2 }, [Noted]);
  });
  afterAll(async () => {
    await open.close();
    await proxy.refuse();
    await own.drop();
  });

  const stored = async (): Promise<number[]> =>
    (await own.query<{ id: number }>('select id from noted order by id')).map(({ id }) => id);
  beforeEach(async () => {
    // A commit whose connection was cut continues for a while.
    await eventually(async () => (await own.query(COMMITTING)).length, 0, 5_000);
    await own.query('delete from noted');
  });

  const COMMITTING = `
    select pid from pg_stat_activity
    where query = 'COMMIT' and state = 'active' and datname = current_database()`;

  const SESSION = 'select from pg_stat_activity where pid = $1';

  /** Runs a transaction, and calls `fault` during its COMMIT. */
  async function inCommit(fault: (session: number) => unknown): Promise<{ answer: string; runs: number }> {
    let runs = 0;
    const holder = new Client({ connectionString: own.url });
    await holder.connect();
    await holder.query('select pg_advisory_lock(1)');
    const transaction = open.database.transaction(async (on) => {
      runs++;
      on.afterCommit(() => {
        announced++;
      });
      await on.query({ text: 'insert into noted values (1, true)', values: [] });
      return sessionOf(on);
    });
    const answer = answerTo(transaction);
    let session: { pid: number } | undefined;
    while (!session) [session] = await own.query<{ pid: number }>(COMMITTING);
    await fault(session.pid);
    await holder.end();
    return { answer: await answer, runs };
  }
  let announced = 0;

  it('answers 502 and does not repeat it if the connection is cut during COMMIT', async () => {
    expect(await inCommit(() => proxy.cut())).toEqual({ answer: '502 DATABASE_ERROR', runs: 1 });
    expect(announced).toBe(0);
  });

  it('answers 502 and stores nothing if the session ends during COMMIT', async () => {
    const ended = await inCommit((session) => own.query('select pg_terminate_backend($1)', [session]));
    expect(ended).toEqual({ answer: '502 DATABASE_ERROR', runs: 1 });
    expect(await stored()).toEqual([]);
  });

  it('answers 502 and stores nothing if the connection is lost between two statements', async () => {
    const lost = open.database.transaction(async (on) => {
      await insert(on, 1);
      proxy.cut();
      await sleep(50);
      await insert(on, 2);
    });
    expect(await answerTo(lost)).toBe('502 DATABASE_ERROR');
    expect(await stored()).toEqual([]);
  });

  it('answers 502 and stores nothing if the connection is lost after the last statement', async () => {
    const lost = open.database.transaction(async (on) => {
      await insert(on, 1);
      proxy.cut();
      await sleep(50);
    });
    expect(await answerTo(lost)).toBe('502 DATABASE_ERROR');
    expect(await stored()).toEqual([]);
  });

  it('answers 504 if the transaction is idle for too long', async () => {
    const idle = open.database.transaction(async (on) => {
      const session = await sessionOf(on);
      const isThere = async () => (await own.query(SESSION, [session])).length > 0;
      await on.query({ text: `set local idle_in_transaction_session_timeout = '20ms'`, values: [] });
      await eventually(isThere, false, 10_000);
      await insert(on, 1);
    });
    expect(await answerTo(idle)).toBe('504 DATABASE_TIMEOUT');
  });

  it('is a rollback if a statement failed, even if its error was caught', async () => {
    const swallowed = open.database.transaction(async (on) => {
      await insert(on, 1);
      await insert(on, 1).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('rolled back');
    expect(await stored()).toEqual([]);
  });

  it('makes the connection refuse further statements', async () => {
    let kept: SqlExecutor | undefined;
    await open.database.transaction((on) => {
      kept = on;
      return insert(on, 1);
    });
    const late = kept!;
    const message = 'The transaction has ended';
    await expect(insert(late, 2)).rejects.toThrow(message);
    await expect(late.transaction(() => Promise.resolve())).rejects.toThrow(message);
    expect(() => {
      late.afterCommit(() => undefined);
    }).toThrow(message);
    expect(() => late.manager).toThrow(message);
    expect(await stored()).toEqual([1]);
  });

  describe('in TypeORM', () => {
    it('commits what repositories wrote, and nested transactions are savepoints', async () => {
      await open.database.transaction(async ({ manager }) => {
        await manager.getRepository(Noted).save({ id: 1 });
        const nested = manager.transaction(async (inner) => {
          await inner.getRepository(Noted).save({ id: 2 });
          throw new Error('back to the savepoint');
        });
        await expect(nested).rejects.toThrow('back to the savepoint');
        expect(await stored()).toEqual([]);
      });
      expect(await stored()).toEqual([1]);
    });

    it('rolls back what repositories wrote, and later uses are refused', async () => {
      let repository: Repository<Noted> | undefined;
      const work = open.database.transaction(async ({ manager }) => {
        repository = manager.getRepository(Noted);
        await repository.save({ id: 1 });
        throw new Error('no');
      });
      await expect(work).rejects.toThrow('no');
      await expect(repository!.save({ id: 2 })).rejects.toThrow('released');
      expect(await stored()).toEqual([]);
      const { pool } = open.database;
      expect(pool.idleCount).toBe(pool.totalCount);
    });

    it('answers 502 if a transaction of TypeORM loses its connection', async () => {
      const lost = open.dataSource.transaction(async (manager) => {
        await manager.getRepository(Noted).save({ id: 1 });
        proxy.cut();
        await sleep(50);
        await manager.getRepository(Noted).save({ id: 2 });
      });
      expect(await answerTo(lost)).toBe('502 DATABASE_ERROR');
      expect(await stored()).toEqual([]);
    });
  });
});
