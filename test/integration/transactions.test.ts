import { EVERYTHING } from '../../packages/core/src/access/access-scope.js';
import { SqlExecutor } from '../../packages/core/src/database/sql-executor.js';
import {
  databaseErrorCode,
  translateDatabaseError,
} from '../../packages/core/src/database/database-error.js';
import { Database } from '../../packages/core/src/database/database.js';
import { openRepositories, Repositories } from '../support/repositories.js';

const POOL_SIZE = 4;

describe('a transaction', () => {
  let repositories: Repositories;
  let database: Database;
  let products: Repositories['products'];

  beforeAll(async () => {
    repositories = await openRepositories(POOL_SIZE);
    ({ database, products } = repositories);
  });
  afterAll(() => repositories.close());

  const insert = async (): Promise<number> =>
    (await products.insert({ name: 'Oak shelf', price: 10, category: 'shelves' })).id;
  const pricesOf = async (...ids: number[]): Promise<number[]> =>
    Promise.all(ids.map(async (id) => (await products.get(id, EVERYTHING)).price));

  it('hides its writes until it ends, and returns the result of its work', async () => {
    const id = await insert();
    const inside = await database.transaction(async (connection) => {
      const row = await products.update(id, { price: 11 }, EVERYTHING, undefined, connection);
      expect(await pricesOf(id)).toEqual([10]);
      expect((await products.update(id, {}, EVERYTHING, undefined, connection)).price).toBe(11);
      return row.price;
    });
    expect([inside, ...(await pricesOf(id))]).toEqual([11, 11]);
  });

  it('takes a connection with its first statement', async () => {
    const sent = jest.spyOn(database.pool, 'connect');
    await database.transaction(() => Promise.resolve());
    expect(sent).not.toHaveBeenCalled();
    await database.transaction(({ manager }) => manager.query('select 1'));
    expect(sent).toHaveBeenCalled();
    sent.mockRestore();
  });

  it('undoes everything if its work throws, and is not repeated', async () => {
    const id = await insert();
    let runs = 0;
    const work = async (connection: SqlExecutor): Promise<void> => {
      runs++;
      await products.update(id, { price: 11 }, EVERYTHING, undefined, connection);
      await products.remove(id, EVERYTHING, undefined, connection);
      throw new Error('no');
    };
    await expect(database.transaction(work)).rejects.toThrow('no');
    expect([runs, ...(await pricesOf(id))]).toEqual([1, 10]);
  });

  it('continues after a nested part that could not begin because the outer one had failed', async () => {
    const id = await insert();
    await database.transaction(({ manager }) =>
      manager
        .transaction(async (part) => {
          await part.query('select 1 / 0').catch(() => undefined);
          await part.transaction(() => Promise.resolve());
        })
        .catch(() => manager.query('update products set price = 12 where id = $1', [id])),
    );
    expect(await pricesOf(id)).toEqual([12]);
  });

  it('is repeated after a deadlock until both transactions are done', async () => {
    const [a, b] = [await insert(), await insert()];
    let runs = 0;
    let arrived = 0;
    let meet: () => void;
    const bothHoldOne = new Promise<void>((resolve) => (meet = resolve));
    const transfer = (from: number, to: number, price: number): Promise<void> =>
      database.transaction(async (connection) => {
        runs++;
        const read = async (id: number): Promise<number> => {
          const text = 'select price::float8 as price from products where id = $1 for update';
          const [row] = await connection.query<{ price: number }>({ text, values: [id] });
          return row!.price;
        };
        const left = await read(from);
        if (++arrived === 2) meet();
        await bothHoldOne;
        const right = await read(to);
        await products.update(from, { price: left - price }, EVERYTHING, undefined, connection);
        await products.update(to, { price: right + price }, EVERYTHING, undefined, connection);
      });
    await Promise.all([transfer(a, b, 3), transfer(b, a, 1)]);
    expect(await pricesOf(a, b)).toEqual([8, 12]);
    // Each runs once, plus once per deadlock, because the two may collide again.
    expect(runs).toBeGreaterThanOrEqual(3);
  });

  it.each(['40P01', '40001'])(
    'answers with an error to try again if it never gets through because of %s',
    async (sqlstate) => {
      const id = await insert();
      let runs = 0;
      const error: unknown = await database
        .transaction(async (connection) => {
          runs++;
          await products.update(id, { price: 11 }, EVERYTHING, undefined, connection);
          const text = `do $$ begin raise exception 'conflict' using errcode = '${sqlstate}'; end $$`;
          await connection.query({ text, values: [] });
        })
        .catch((reason: unknown) => reason);
      expect([runs, databaseErrorCode(error)]).toEqual([5, sqlstate]);
      expect(translateDatabaseError(error)).toMatchObject({
        type: { code: 'DATABASE_UNAVAILABLE' },
        headers: { 'retry-after': '1' },
      });
      expect(await pricesOf(id)).toEqual([10]);
    },
  );

  it('repeats a single statement outside of transactions after a deadlock', async () => {
    await database.query({ text: 'create sequence attempts', values: [] });
    const text = `do $$ begin
      if nextval('attempts') < 3 then raise exception 'conflict' using errcode = '40P01'; end if;
    end $$`;
    await database.query({ text, values: [] });
    const [attempts] = await database.query({
      text: 'select last_value::int as n from attempts',
      values: [],
    });
    expect(attempts).toEqual({ n: 3 });
  });

  it('releases its connection, however it ends', async () => {
    const end = async (i: number): Promise<void> => {
      const work = async (connection: SqlExecutor): Promise<void> => {
        await connection.query({ text: i % 2 === 0 ? 'select 1' : 'select 1 / 0', values: [] });
      };
      await database.transaction(work).catch(() => undefined);
    };
    await Promise.all(Array.from({ length: POOL_SIZE * 5 }, (_, i) => end(i)));
    expect([database.pool.totalCount <= POOL_SIZE, database.pool.idleCount]).toEqual([
      true,
      database.pool.totalCount,
    ]);
  });
});
