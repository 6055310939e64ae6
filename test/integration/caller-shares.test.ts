import { eventually } from '@plinth/dev/testing';

import { BatchLoader } from '../../packages/core/src/database/batch-loader.js';
import { runForCaller } from '../../packages/core/src/database/caller-shares.js';
import { ConnectionFailedError } from '../../packages/core/src/database/database-error.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';

let own: TestDatabase;
let open: OpenDatabase;

beforeAll(async () => {
  own = await createDatabase();
});
afterAll(() => own.drop());
afterEach(() => open.close());

const withPool = async (poolSize: number): Promise<void> => {
  open = await openDatabase(own.url, { poolSize });
};

/** Runs work as part of a request of the caller. */
const as = <T>(caller: string, work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    runForCaller(caller, () => void work().then(resolve, reject));
  });

const query = (text = 'select 1'): Promise<object[]> => open.database.query({ text, values: [] });
const inUse = (): number => open.database.pool.totalCount - open.database.pool.idleCount;

/** Work that holds a connection until `letGo()` is called. */
function holder(): { begin: () => Promise<string>; letGo: () => void } {
  let letGo: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  const begin = (): Promise<string> =>
    open.database.transaction(async (tx) => {
      await tx.query({ text: 'select 1', values: [] });
      await gone;
      return 'done';
    });
  return { begin, letGo };
}

describe('the share of a caller in the pool', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [10, 5],
  ])(
    'is, in a pool of %d, %d connections, and further work of the caller waits for them',
    async (poolSize, share) => {
      await withPool(poolSize);
      const { begin, letGo } = holder();
      const all = Array.from({ length: 12 }, () => as('user 1', begin));
      await eventually(() => Promise.resolve(inUse()), share, 5_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect([inUse(), open.database.pool.waitingCount]).toEqual([share, 0]);
      letGo();
      expect(new Set(await Promise.all(all))).toEqual(new Set(['done']));
      await eventually(() => Promise.resolve(inUse()), 0, 5_000);
    },
  );

  it('leaves connections to other callers and to the service, in TypeORM and in direct statements', async () => {
    await withPool(2);
    const { begin, letGo } = holder();
    const held = as('user 1', begin);
    await eventually(() => Promise.resolve(inUse()), 1, 5_000);
    const waiting = [as('user 1', () => query()), as('user 1', () => open.dataSource.query('select 1'))];
    expect(await as('user 2', () => query())).toHaveLength(1);
    expect(await as('user 2', () => open.dataSource.query<object[]>('select 1'))).toHaveLength(1);
    expect(await query()).toHaveLength(1);
    letGo();
    expect(await held).toBe('done');
    expect(await Promise.all(waiting)).toHaveLength(2);
  });

  it('does not limit look-ups that serve several callers', async () => {
    await withPool(2);
    const { begin, letGo } = holder();
    const held = as('user 1', begin);
    await eventually(() => Promise.resolve(inUse()), 1, 5_000);
    const loader = new BatchLoader(async (keys: number[]) => {
      await query();
      return new Map(keys.map((key) => [key, key]));
    });
    const found = ['user 1', 'user 2'].map((caller, i) => as(caller, () => loader.load(i)));
    expect(await Promise.all(found)).toEqual([0, 1]);
    letGo();
    await held;
  });

  it('refuses work after the time-out of the pool, and then serves again', async () => {
    await withPool(2);
    const { begin, letGo } = holder();
    const held = [as('user 1', begin), as('user 2', begin)];
    await eventually(() => Promise.resolve(inUse()), 2, 5_000);
    const late = await Promise.allSettled(Array.from({ length: 20 }, () => as('user 1', () => query())));
    expect(late.map((result) => (result as PromiseRejectedResult).reason as unknown)).toEqual(
      Array(20).fill(expect.any(ConnectionFailedError)),
    );
    letGo();
    await Promise.all(held);
    const again = Array.from({ length: 5 }, () => as('user 1', () => query()));
    expect(await Promise.all(again)).toHaveLength(5);
    await eventually(() => Promise.resolve(inUse()), 0, 5_000);
  });

  it('waits in its own queue and in that of the pool for one time-out only, and returns a late connection', async () => {
    await withPool(2);
    const [first, others] = [holder(), holder()];
    const held = [as('user 1', first.begin), as('user 2', others.begin)];
    await eventually(() => Promise.resolve(inUse()), 2, 5_000);
    const refused: string[] = [];
    const late = as('user 1', () => query()).catch((error: unknown) => {
      refused.push('user 1');
      return error;
    });
    // The caller's share has room after a while, but somebody else takes the connection of the pool first.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const next = as('user 3', others.begin);
    const later = as('user 4', () => query()).catch(() => refused.push('user 4'));
    first.letGo();
    expect(await late).toBeInstanceOf(ConnectionFailedError);
    await later;
    expect(refused).toEqual(['user 1', 'user 4']);
    others.letGo();
    await Promise.all([...held, next]);
    await eventually(() => Promise.resolve(inUse()), 0, 5_000);
    expect(await as('user 1', () => query())).toHaveLength(1);
  });

  it('lets a transaction use a second connection, by the service and by TypeORM', async () => {
    await withPool(2);
    const ours = (): Promise<object[]> =>
      open.database.transaction(async (tx) => {
        await tx.query({ text: 'select 1', values: [] });
        return query();
      });
    const theirs = (): Promise<object[]> =>
      open.dataSource.transaction(async (manager) => {
        await manager.query('select 1');
        return query();
      });
    for (const work of [ours, theirs]) {
      const all = Array.from({ length: 10 }, () => as('user 1', work));
      expect((await Promise.all(all)).map(({ length }) => length)).toEqual(Array(10).fill(1));
    }
  });

  it('limits concurrent statements of one request', async () => {
    await withPool(4);
    const all = as('user 1', () =>
      Promise.all(Array.from({ length: 12 }, () => query('select pg_sleep(0.02)'))),
    );
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, inUse())), 2);
    await all;
    clearInterval(watch);
    expect(most).toBe(2);
  });
});

it('several writes of one row by one caller take turns, while another caller reads', async () => {
  await withPool(2);
  await own.query('create table if not exists counters (id int primary key, n int not null)');
  await own.query('insert into counters values (1, 0) on conflict (id) do update set n = 0');
  const write = (): Promise<void> =>
    open.database.transaction(async (tx) => {
      await tx.query({ text: 'select n from counters where id = 1 for update', values: [] });
      await tx.query({ text: 'select pg_sleep(0.002)', values: [] });
      await tx.query({ text: 'update counters set n = n + 1 where id = 1', values: [] });
    });
  let left = 60;
  const writes = Array.from({ length: left }, () => as('user 1', write).finally(() => left--));
  const leftAtReads: number[] = [];
  for (let i = 0; i < 5; i++) {
    await as('user 2', () => query());
    leftAtReads.push(left);
  }
  expect(Math.min(...leftAtReads)).toBeGreaterThan(0);
  await Promise.all(writes);
  expect(await own.query('select n from counters')).toEqual([{ n: 60 }]);
});
