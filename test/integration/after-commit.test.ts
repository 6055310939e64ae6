import { Database } from '../../packages/core/src/database/database.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { OwnApp, startInProcess } from '../support/own-app.js';

describe('the work after a commit', () => {
  let own: TestDatabase;
  let service: OwnApp;
  let database: Database;
  let done: string[];

  beforeAll(async () => {
    own = await createDatabase();
    service = await startInProcess({}, own);
    database = service.app.nest.get(Database);
    await own.query('create table noted (id int primary key)');
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    done = [];
    await own.query('truncate noted');
  });

  const insert = (on: Pick<Database, 'query'>, id: number): Promise<object[]> =>
    on.query({ text: 'insert into noted values ($1)', values: [id] });
  const note = (what: string) => (): void => {
    done.push(what);
  };
  const count = async (): Promise<number> => (await own.query('select from noted')).length;

  it('is done once and in order, when others can see what was committed', async () => {
    await database.transaction(async (on) => {
      on.afterCommit(note('first'));
      await insert(on, 1);
      await on.transaction(async (inner) => {
        inner.afterCommit(note('second'));
        await insert(inner, 2);
      });
      on.afterCommit(async () => {
        done.push(`third sees ${await count()}`);
      });
      on.afterCommit(note('fourth'));
      expect(done).toEqual([]);
    });
    expect(done).toEqual(['first', 'second', 'third sees 2', 'fourth']);
  });

  it('is not done for a transaction that is rolled back', async () => {
    const work = database.transaction(async (on) => {
      on.afterCommit(note('never'));
      await insert(on, 1);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(done).toEqual([]);
  });

  it('is done for the attempt that commits, not for earlier ones', async () => {
    let attempt = 0;
    await database.transaction(async (on) => {
      const number = ++attempt;
      on.afterCommit(note(`attempt ${number}`));
      if (number < 3)
        await on.query({ text: `do $$ begin raise exception using errcode = '40001'; end $$`, values: [] });
    });
    expect(done).toEqual(['attempt 3']);
  });

  it('logs its errors, continues with the rest, and does not fail the transaction', async () => {
    const before = service.log.length;
    const result = await database.transaction(async (on) => {
      on.afterCommit(() => {
        throw new Error('a broken listener');
      });
      on.afterCommit(() => Promise.reject(new Error('a broken promise')));
      on.afterCommit(note('the rest'));
      await insert(on, 1);
      return 'committed';
    });
    expect([result, done, await count()]).toEqual(['committed', ['the rest'], 1]);
    const logged = JSON.stringify(service.log.slice(before));
    expect(logged).toContain('a broken listener');
    expect(logged).toContain('a broken promise');
  });

  it('begins immediately outside of a transaction', () => {
    database.afterCommit(() => {
      done.push('now');
    });
    expect(done).toEqual(['now']);
  });

  it('begins after the connection has been released', async () => {
    const { pool } = database;
    const busy = pool.totalCount - pool.idleCount;
    await database.transaction((on) => {
      on.afterCommit(() => {
        done.push(`${pool.totalCount - pool.idleCount - busy} in use`);
      });
      return insert(on, 1);
    });
    expect(done).toEqual(['0 in use']);
  });
});
