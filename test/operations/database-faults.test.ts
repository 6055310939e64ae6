import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '@plinth/dev/testing';
import { Client as Connection } from 'pg';
import { DataSource } from 'typeorm';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import {
  EmbeddedDatabase,
  openEmbeddedDatabase,
  removeEmbeddedDatabase,
} from '../../packages/dev/src/embedded-postgres/embedded-database.js';
import { dataSourceOptions } from '../../packages/core/src/database/data-source-options.js';
import { migrate } from '../../packages/core/src/database/migrate.js';
import { MIGRATIONS } from '../../src/migrations/migrations.js';
import { run, waitersForLocks } from '../support/databases.js';
import { BareApp, startBare } from '../support/own-app.js';
import { exchange, Exchange, expectError, wire } from '../support/raw-http.js';
import { TcpProxy } from '../support/tcp-proxy.mjs';
import { createUser } from '../support/users.js';

const PRODUCTS = '/api/v1/products';
const LAMP = JSON.stringify({ name: 'Walnut desk lamp', price: 49.9, category: 'lighting' });
const STATEMENT_TIMEOUT_MS = 700;
/** Repeats a check whose time limit a busy machine may exceed. */
const ATTEMPTS = 3;

describe('the service, when the database fails', () => {
  const directory = mkdtempSync(join(tmpdir(), 'service-faults-'));
  let database: EmbeddedDatabase;
  let proxy: TcpProxy;
  /** A service whose statement time-out is longer than any test, however busy this machine is. */
  let app: BareApp;
  /** A service with a short statement time-out. */
  let hasty: BareApp;
  /** Clients of several users, because one caller may use at most half of the connections. */
  let authorizations: string[];

  beforeAll(async () => {
    database = await openEmbeddedDatabase({ directory, durable: false, log: () => undefined });
    const settings = { poolSize: 2, statementTimeoutMs: 60_000 };
    const dataSource = await new DataSource(dataSourceOptions(database.url, settings)).initialize();
    await migrate(dataSource, MIGRATIONS);
    await dataSource.destroy();
    proxy = await TcpProxy.to(database.url);
    const start = (statementTimeoutMs: number): Promise<BareApp> =>
      startBare({
        DATABASE_URL: proxy.urlOf(database.url),
        DATABASE_POOL_SIZE: '3',
        DATABASE_STATEMENT_TIMEOUT_MS: String(statementTimeoutMs),
      });
    app = await start(60_000);
    hasty = await start(STATEMENT_TIMEOUT_MS);
    authorizations = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { email, password } = await createUser(
          (text, values) => run(database.url, text, values),
          'admin',
        );
        const credentials = JSON.stringify({ email, password });
        const json = ['Content-Type: application/json'];
        const { answer } = await exchange(app, wire('POST /login', json, credentials));
        return `Authorization: Bearer ${(answer.body as { accessToken: string }).accessToken}`;
      }),
    );
  });
  afterAll(async () => {
    await hasty.stop();
    await app.stop();
    await proxy.refuse();
    await database.stop();
    await removeEmbeddedDatabase(directory);
  });
  beforeEach(async () => {
    proxy.thaw();
    await proxy.accept();
    await recovered();
    await recovered(hasty);
  });

  let sent = 0;
  const authorization = (): string => authorizations[sent++ % authorizations.length]!;
  const send = (line: string, body = '', to = app): Promise<Exchange> => {
    const type = body ? ['Content-Type: application/json'] : [];
    return exchange(to, wire(line, [authorization(), ...type], body), { timeoutMs: 20_000 });
  };
  const get = (to = app): Promise<Exchange> => send(`GET ${PRODUCTS}/1`, '', to);
  const list = (to = app): Promise<Exchange> => send(`GET ${PRODUCTS}`, '', to);
  const create = (to = app): Promise<Exchange> => send(`POST ${PRODUCTS}`, LAMP, to);

  /** Waits until the service has recovered by itself. @throws if it does not */
  async function recovered(to = app): Promise<void> {
    await eventually(async () => (await list(to)).answer.status, 200, 30_000);
  }

  /** The responses to `ask`. Repeated until one attempt stays within the time limit. */
  async function within(boundMs: number, ask: () => Promise<Exchange[]>): Promise<Exchange[]> {
    for (let attempt = 1; ; attempt++) {
      const answers = await ask();
      const slowest = Math.max(...answers.map(({ elapsedMs }) => elapsedMs));
      if (slowest < boundMs) return answers;
      if (attempt === ATTEMPTS) throw new Error(`answered after ${slowest} ms, not within ${boundMs} ms`);
    }
  }

  /** Runs `test` while the products are locked. */
  async function whileLocked(test: () => Promise<unknown>): Promise<void> {
    const holder = new Connection({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table products in access exclusive mode');
    try {
      await test();
    } finally {
      await holder.end();
    }
  }

  function expectFault({ answer }: Exchange, status: 502 | 503 | 504): void {
    const codes = { 502: 'DATABASE_ERROR', 503: 'DATABASE_UNAVAILABLE', 504: 'DATABASE_TIMEOUT' };
    expectError(answer, status, codes[status]);
    if (status === 503) expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    else expect(answer.headers.get('retry-after')).toBeNull();
    expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONN|pg_|statement|terminat/i);
  }

  async function expectNotReady(of = app): Promise<void> {
    const { answer } = await send('GET /health/ready', '', of);
    expectError(answer, 503, 'NOT_READY');
    expect((await send('GET /health/live', '', of)).answer.status).toBe(200);
  }

  it('answers 503 while connections are refused, is live but not ready, and recovers at once', async () => {
    await proxy.refuse();
    const answers = await within(2_000, () => Promise.all([get(), list(), create()]));
    for (const answer of answers) expectFault(answer, 503);
    const { answer: login } = await exchange(
      app,
      wire(
        'POST /login',
        ['Content-Type: application/json'],
        '{"email":"a@example.com","password":"12345678"}',
      ),
    );
    expectError(login, 503, 'DATABASE_UNAVAILABLE');
    await expectNotReady();
    await proxy.accept();
    expect((await list()).answer.status).toBe(200);
    expect((await send('GET /health/ready')).answer.status).toBe(200);
  });

  it('answers 503 to callers who wait for an exhausted pool, and serves all others', async () => {
    const holder = new Connection({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin');
    const patient = await startBare({
      DATABASE_URL: proxy.urlOf(database.url),
      DATABASE_POOL_SIZE: '2',
      DATABASE_STATEMENT_TIMEOUT_MS: '60000',
    });
    try {
      await holder.query('lock table products in access exclusive mode');
      const one = (): Promise<Exchange> =>
        exchange(
          patient,
          wire(`POST ${PRODUCTS}`, [authorization(), 'Content-Type: application/json'], LAMP),
          {
            timeoutMs: 60_000,
          },
        );
      // Sequential reads, because concurrent reads by id would be joined into one statement.
      const served = [one()];
      await waitersForLocks(database.url, 1);
      served.push(one());
      await waitersForLocks(database.url, 2);
      const refused = await within(5_000, () => Promise.all([one(), one(), one()]));
      for (const answer of refused) expectFault(answer, 503);
      await holder.query('rollback');
      for (const { answer } of await Promise.all(served)) expect(answer.status).toBe(201);
    } finally {
      await holder.end();
      await patient.stop();
    }
  });

  it('reads once more if the connection is lost during a query, but does not write once more', async () => {
    let answers: Promise<Exchange>[] = [];
    await whileLocked(async () => {
      answers = [get(), list(), create()];
      await waitersForLocks(database.url, 3);
      proxy.cut();
      // The server does not notice that the three clients are gone while it waits for the lock.
      await waitersForLocks(database.url, 3 + 2);
    });
    const [one, page, created] = (await Promise.all(answers)) as [Exchange, Exchange, Exchange];
    expect([one.answer.status, page.answer.status]).toEqual([200, 200]);
    expectFault(created, 502);
  });

  it('answers 502 if the connection is lost during the second attempt, too', () =>
    whileLocked(async () => {
      const answers = [get(), list(), create()];
      await waitersForLocks(database.url, 3);
      proxy.cut();
      await waitersForLocks(database.url, 3 + 2);
      proxy.cut();
      for (const answer of await Promise.all(answers)) expectFault(answer, 502);
    }));

  it('answers 504 if the database is too slow, and cancels the statement', () =>
    whileLocked(async () => {
      const ask = () => Promise.all([get(hasty), list(hasty), create(hasty)]);
      for (const answer of await within(STATEMENT_TIMEOUT_MS + 900, ask)) {
        expectFault(answer, 504);
        expect(answer.elapsedMs).toBeGreaterThan(STATEMENT_TIMEOUT_MS - 50);
      }
      const text = `select 1 from pg_stat_activity where application_name = '${PRODUCT.slug}' and state = 'active'`;
      await eventually(async () => (await run(database.url, text)).length, 0, 5_000);
    }));

  it('answers 504 in time while the database is frozen, and recovers afterwards', async () => {
    const freeze = async (): Promise<Exchange[]> => {
      proxy.thaw();
      await recovered(hasty);
      // Each of the three requests uses a connection of its own that is open when the database freezes.
      await whileLocked(() => Promise.all([get(hasty), list(hasty), create(hasty)]));
      proxy.freeze();
      return Promise.all([get(hasty), list(hasty), create(hasty)]);
    };
    for (const answer of await within(STATEMENT_TIMEOUT_MS + 2_000, freeze)) expectFault(answer, 504);
    // The pool discards the connections, and cannot open new ones.
    const ask = () => Promise.all([get, list, create, create, create].map((one) => one(hasty)));
    for (const { answer } of await within(5_000, ask)) expect([503, 504]).toContain(answer.status);
    await expectNotReady(hasty);
    proxy.thaw();
    await recovered(hasty);
    for (const { answer } of await Promise.all([list, create, create, create].map((one) => one(hasty)))) {
      expect(answer.status).toBeLessThan(300);
    }
  });

  it('logs every failure with its reason, and does not crash', () => {
    const failures = [...app.log, ...hasty.log].filter((line) => 'error' in line);
    expect(failures.length).toBeGreaterThan(10);
    for (const { level, error, requestId } of failures) {
      expect([40, expect.any(String)]).toEqual([level, requestId]);
      expect((error as { stack: string }).stack).toContain('\n    at ');
    }
  });
});
