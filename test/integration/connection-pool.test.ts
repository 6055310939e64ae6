import { createServer, Server } from 'node:net';

import { eventually } from '@plinth/dev/testing';

import { PooledClient } from '../../packages/core/src/database/pooled-client.js';
import { translateDatabaseError } from '../../packages/core/src/database/database-error.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { openDatabase, OpenDatabase, sessionOf } from '../support/open-database.js';
import { TcpProxy } from '../support/tcp-proxy.mjs';

/** The status with which a client gets the outcome of a promise. */
const answerTo = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: unknown) => {
      const { type, headers } = translateDatabaseError(error) ?? {};
      return `${type?.status ?? 500}${headers?.['retry-after'] ? ' with Retry-After' : ''}`;
    },
  );

describe('the connection pool', () => {
  let own: TestDatabase;
  let open: OpenDatabase;

  beforeAll(async () => {
    own = await createDatabase();
  });
  afterAll(() => own.drop());
  beforeEach(async () => {
    open = await openDatabase(own.url, { poolSize: 1, statementTimeoutMs: 400 });
  });
  afterEach(() => open.close());

  const run = (text: string): Promise<object[]> => open.database.query({ text, values: [] });
  const session = (): Promise<number> => sessionOf(open.database);

  it('keeps a connection after PostgreSQL has refused a statement', async () => {
    const before = await session();
    const insert = `insert into products (name, price, category) values ('x', -1, 'y')`;
    for (const text of [insert, 'select 1 / 0', 'select pg_sleep(5)']) await answerTo(run(text));
    expect(await session()).toBe(before);
  });

  it('closes a connection that is released inside a transaction', async () => {
    const before = await session();
    const client = await open.database.pool.connect();
    await client.query('begin');
    client.release();
    expect(await session()).not.toBe(before);
  });

  it('closes a connection of TypeORM that is released inside a transaction', async () => {
    const before = await session();
    const runner = open.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.release();
    expect(await session()).not.toBe(before);
  });

  it('closes a connection whose failed transaction was not rolled back', async () => {
    const before = await session();
    const client = await open.database.pool.connect();
    await client.query('begin; select 1 / 0').catch(() => undefined);
    client.release();
    expect(await session()).not.toBe(before);
  });

  it('closes a connection that is released while a statement runs or waits', async () => {
    for (const statements of [['set statement_timeout = 0; select pg_sleep(3)'], ['select 1', 'begin']]) {
      const before = await session();
      const client = await open.database.pool.connect();
      for (const text of statements) client.query(text).catch(() => undefined);
      client.release();
      expect(await session()).not.toBe(before);
    }
  });

  it('takes a released connection back only once', async () => {
    const client = await open.database.pool.connect();
    client.release();
    expect(() => {
      client.release();
    }).toThrow('already been released to the pool');
  });

  it('survives the end of a session that is in use and has no other listener', async () => {
    const client = (await open.database.pool.connect()) as PooledClient & { release(): void };
    const [{ pid }] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows as [
      { pid: number },
    ];
    await own.query('select pg_terminate_backend($1)', [pid]);
    await eventually(() => Promise.resolve(client.fatalError !== undefined), true, 5_000);
    expect(await answerTo(client.query('select 1'))).toBe('502');
    client.release();
    expect(await session()).not.toBe(pid);
  });

  it('answers 503 if it is exhausted', async () => {
    const client = await open.database.pool.connect();
    const waiting = [run('select 1'), open.dataSource.query('select 1')];
    expect(await Promise.all(waiting.map(answerTo))).toEqual(Array(2).fill('503 with Retry-After'));
    client.release();
    expect(await answerTo(run('select 1'))).toBe('done');
  });

  it('answers 503 if it is closed', async () => {
    const other = await openDatabase(own.url);
    const { pool } = other.database;
    await other.close();
    expect(await answerTo(pool.query('select 1'))).toBe('503 with Retry-After');
  });

  it('answers 504 to a statement that takes too long', async () => {
    expect(await answerTo(run('select pg_sleep(5)'))).toBe('504');
    expect(await answerTo(open.dataSource.query('select pg_sleep(5)'))).toBe('504');
  });

  it('answers 502 to a session that ends during a statement', async () => {
    expect(await answerTo(run('select pg_terminate_backend(pg_backend_pid())'))).toBe('502');
    expect(await answerTo(open.dataSource.query('select pg_terminate_backend(pg_backend_pid())'))).toBe(
      '502',
    );
  });

  it('prepares a statement again after its table has changed', async () => {
    const wide = await openDatabase(own.url, { poolSize: 3 });
    await own.query('create table changing (name varchar(10))');
    const text = 'select name from changing where name is not null';
    const read = (): Promise<object[]> => wide.database.query({ text, values: [], name: 'changing' });
    const readInTransaction = (): Promise<object[]> =>
      wide.database.transaction((on) => on.query({ text, values: [], name: 'changing' }));
    for (const again of [read, readInTransaction]) {
      await Promise.all([again(), again(), again()]);
      await own.query('alter table changing alter name type varchar(20)');
      expect(await Promise.all([again(), again(), again()])).toEqual([[], [], []]);
      await own.query('alter table changing alter name type varchar(10)');
    }
    await wide.close();
  });
});

describe('the connection pool, without a connection to the database', () => {
  let own: TestDatabase;
  let proxy: TcpProxy;
  let open: OpenDatabase;
  let resetting: Server;

  beforeAll(async () => {
    own = await createDatabase();
    proxy = await TcpProxy.to(own.url);
    open = await openDatabase(proxy.urlOf(own.url), { poolSize: 2 });
    resetting = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await new Promise<void>((resolve) => resetting.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await proxy.accept();
    await open.close();
    await proxy.refuse();
    resetting.close();
    await own.drop();
  });

  /** Lets the next connection go to another host and port. */
  async function answerAt(host: string, port: number): Promise<string[]> {
    const { pool } = open.database;
    proxy.cut();
    await eventually(() => Promise.resolve(pool.totalCount), 0, 5_000);
    const { connectionString } = pool.options;
    const url = Object.assign(new URL(connectionString as string), { hostname: host, port: String(port) });
    pool.options.connectionString = url.href;
    try {
      return [
        await answerTo(open.database.query({ text: 'select 1', values: [] })),
        await answerTo(open.database.transaction((on) => on.query({ text: 'select 1', values: [] }))),
        await answerTo(open.dataSource.query('select 1')),
      ];
    } finally {
      pool.options.connectionString = connectionString;
    }
  }
  const REFUSED = Array.from({ length: 3 }, () => '503 with Retry-After');

  it('answers 503 if the connection is refused', async () => {
    expect(await answerAt('127.0.0.1', 1)).toEqual(REFUSED);
  });

  it('answers 503 if the connection is reset while it is opened', async () => {
    const { port } = resetting.address() as { port: number };
    expect(await answerAt('127.0.0.1', port)).toEqual(REFUSED);
  });

  it('answers 503 if the host has no address', async () => {
    expect(await answerAt('database.invalid', 5432)).toEqual(REFUSED);
  });

  it('connects as soon as that is possible again', async () => {
    expect(await answerTo(open.database.query({ text: 'select 1', values: [] }))).toBe('done');
  });
});
