import { randomBytes } from 'node:crypto';

import { eventually } from '@plinth/dev/testing';

import { Database } from '../../packages/core/src/database/database.js';
import { createDatabase, databaseOf, run, TestDatabase } from '../support/databases.js';
import { BareApp, startBare } from '../support/own-app.js';
import { exchange, expectError, wire } from '../support/raw-http.js';
import { TcpProxy } from '../support/tcp-proxy.mjs';

const ROLE = `service_ready_${randomBytes(4).toString('hex')}`;
const POOL_SIZE = 2;

describe('GET /health/ready', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let app: BareApp;
  const admin = (text: string): Promise<unknown> => run(databaseOf('postgres'), text);
  const name = (): string => new URL(database.url).pathname.slice(1);

  beforeAll(async () => {
    database = await createDatabase();
    await admin(`create role "${ROLE}" login superuser password 'right'`);
    proxy = await TcpProxy.to(database.url);
    const url = new URL(proxy.urlOf(database.url));
    Object.assign(url, { username: ROLE, password: 'right' });
    app = await startBare({
      DATABASE_URL: url.href,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      DATABASE_STATEMENT_TIMEOUT_MS: '1000',
    });
    await admin(`alter role "${ROLE}" nosuperuser`);
    await run(database.url, `grant select on migrations to "${ROLE}"`);
  });
  afterAll(async () => {
    await app.stop();
    await proxy.refuse();
    await run(database.url, `drop owned by "${ROLE}"`);
    await database.drop();
    await admin(`drop role "${ROLE}"`);
  });

  const ready = async () => (await exchange(app, wire('GET /health/ready'))).answer;
  const readiness = () => app.log.filter(({ context }) => context === 'Readiness');
  /** Changes the database, and closes the connections that still work. */
  const change = async (text: string): Promise<void> => {
    await admin(text);
    proxy.cut();
  };

  const busy: (() => void)[] = [];
  const occupy = async (): Promise<void> => {
    const { pool } = app.app.nest.get(Database);
    for (let i = 0; i < POOL_SIZE; i++) {
      const client = await pool.connect();
      busy.push(() => client.release());
    }
  };
  const free = async (): Promise<void> => busy.splice(0).forEach((release) => release());

  it.each<[cause: string, message: string, begin: () => Promise<void>, end: () => Promise<void>]>([
    [
      'the server refuses connections',
      'no connection to the database is possible',
      () => proxy.refuse(),
      () => proxy.accept(),
    ],
    [
      'the server is frozen',
      'the database does not answer in time',
      async () => proxy.freeze(),
      async () => proxy.thaw(),
    ],
    [
      'the password is wrong',
      'the database refuses the user or the password of DATABASE_URL',
      () => change(`alter role "${ROLE}" password 'another'`),
      () => change(`alter role "${ROLE}" password 'right'`),
    ],
    [
      'the user may not log in',
      'the database refuses the user or the password of DATABASE_URL',
      () => change(`alter role "${ROLE}" nologin`),
      () => change(`alter role "${ROLE}" login`),
    ],
    [
      'the user may open no more connections',
      'the database accepts no more connections',
      () => change(`alter role "${ROLE}" connection limit 0`),
      () => change(`alter role "${ROLE}" connection limit -1`),
    ],
    [
      'the user may not read the table of migrations',
      'the user of DATABASE_URL may not read the table of migrations',
      async () => void (await run(database.url, `revoke select on migrations from "${ROLE}"`)),
      async () => void (await run(database.url, `grant select on migrations to "${ROLE}"`)),
    ],
    ['all connections of the pool are in use', 'no connection of the pool became free in time', occupy, free],
  ])('says why, and the log says it once: %s', async (_cause, message, begin, end) => {
    await eventually(async () => (await ready()).status, 200, 30_000);
    const before = readiness().length;
    await begin();
    const refused = async (): Promise<string> => (await ready()).text;
    await eventually(async () => (await refused()).includes(message), true, 60_000);
    expectError(await ready(), 503, 'NOT_READY');
    expect(await refused()).not.toMatch(new RegExp(`${ROLE}|${name()}|127\\.0\\.0\\.1`));
    await ready();
    await end();
    await eventually(async () => (await ready()).status, 200, 60_000);
    const messages = readiness()
      .slice(before)
      .map(({ level, msg }) => [level, msg]);
    // A connection that is lost may be seen first, and then the reason why there is no other.
    const reason = new RegExp(`^Not ready: ${message}\\.( The code is [A-Z0-9]+\\.)?$`);
    expect(messages.slice(-2)).toEqual([
      [40, expect.stringMatching(reason)],
      [30, 'Ready again.'],
    ]);
    if (message.includes('password')) expect(messages.at(-2)?.[1]).toMatch(/ 28(P01|000)\.$/);
    expect(messages.length).toBeLessThanOrEqual(3);
    const failed = readiness().findLast(({ msg }) => String(msg).includes(message));
    expect(failed?.['stack']).toContain('\n    at ');
  });

  it('names a database that does not exist', async () => {
    await proxy.refuse();
    await admin(`alter database "${name()}" rename to "${name()}_moved"`);
    await proxy.accept();
    const answer = await ready();
    await proxy.refuse();
    await admin(`alter database "${name()}_moved" rename to "${name()}"`);
    await proxy.accept();
    expect(answer.text).toContain('the database that DATABASE_URL names does not exist');
  });

  it('occupies one connection, however many balancers ask while the database is frozen', async () => {
    await eventually(async () => (await ready()).status, 200, 60_000);
    proxy.freeze();
    const { pool } = app.app.nest.get(Database);
    const asked = Array.from({ length: 10 }, ready);
    await eventually(async () => pool.totalCount - pool.idleCount, 1, 10_000);
    expect(pool.waitingCount).toBe(0);
    for (const { status } of await Promise.all(asked)) expect(status).toBe(503);
    proxy.thaw();
    await eventually(async () => (await ready()).status, 200, 60_000);
  });

  it('writes no line of its own for a health check, at the level info', () => {
    expect(app.log.filter(({ route }) => String(route).startsWith('/health/'))).toEqual([]);
    expect(app.log.filter((line) => 'error' in line)).toEqual([]);
  });
});
