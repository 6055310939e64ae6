import { get, IncomingMessage } from 'node:http';

import { eventually } from '@plinth/dev/testing';
import { Client as Connection } from 'pg';

import { createDatabase, TestDatabase, waitersForLocks } from '../support/databases.js';
import { Load } from '../support/load.js';
import { exchange, Exchange, expectError, wire } from '../support/raw-http.js';
import { isRefused, ServiceProcess } from '../support/service-process.js';

const SECRET = 'a-secret-of-the-tests-of-32-bytes-or-more';
const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';
const ADMIN = { email: 'ada@example.com', password: 'correct horse battery staple' };

let database: TestDatabase;
let settings: Record<string, string>;
beforeAll(async () => {
  database = await createDatabase();
  settings = {
    DATABASE_URL: database.url,
    JWT_SECRET: SECRET,
    RATE_LIMIT: '0',
    ANONYMOUS_ROLE: 'viewer',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  };
});
afterAll(() => database.drop());

/** Sends requests for products. Returns how many were answered. */
async function load(service: ServiceProcess, requests: number): Promise<number> {
  const made = new Load(service.port, PRODUCTS);
  made.begin(8);
  await made.progress(requests);
  await made.end();
  expect([...made.statuses]).toEqual([200]);
  return made.answers;
}

/** How a service ended after SIGTERM, and how long that took. */
async function endOf(
  service: ServiceProcess,
  startedAt: number,
): Promise<{ code: unknown; seconds: number }> {
  const code = await service.exited;
  return { code, seconds: (performance.now() - startedAt) / 1000 };
}

// test/faults/experiments/rolling-restart.mjs shows that a rolling restart behind HAProxy loses no request.
describe('SIGTERM ends the process with 0 within 10 s', () => {
  it('even if nobody reads its log', async () => {
    const service = await ServiceProcess.started(settings, { isLogRead: false });
    // More than a pipe holds, but not so much that lines are dropped.
    await load(service, 3_600);
    const startedAt = performance.now();
    service.kill('SIGTERM');
    const { code, seconds } = await endOf(service, startedAt);
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(10);
  });

  describe('with all kinds of clients connected', () => {
    let service: ServiceProcess;
    let ended: Awaited<ReturnType<typeof endOf>>;
    let answers: number;
    let id: number;
    let halves: Exchange[];
    let silent: Exchange[];
    let probe: Exchange;
    let late: Exchange;
    let change: Exchange;
    let lines: number;
    let unread: IncomingMessage;

    /** Opens a response of 20 MB without reading it, which is more than the buffers on the way hold. */
    const open = ({ port }: ServiceProcess, credentials = {}): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const options = { agent: false, headers: { accept: 'text/csv', ...credentials } };
        const url = `http://127.0.0.1:${port}/api/v2/products?category=large`;
        get(url, options, resolve).on('error', reject);
      });
    const countLines = async (response: IncomingMessage): Promise<number> => {
      let count = 0;
      for await (const chunk of response) count += String(chunk).split('\n').length - 1;
      return count;
    };

    beforeAll(async () => {
      await database.query(`insert into products (name, price, category, description)
                            select 'Large ' || i, i, 'large', repeat('x', 5000) from generate_series(1, 4000) i`);
      const lamp = `insert into products (name, price, category) values ('Lamp', 1, 'c') returning id`;
      [{ id }] = (await database.query<{ id: number }>(lamp)) as [{ id: number }];
      service = await ServiceProcess.started(settings);
      answers = await load(service, 500);
      const login = await exchange(service, wire('POST /login', [JSON_TYPE], JSON.stringify(ADMIN)));
      const authorization = `Authorization: Bearer ${(login.answer.body as { accessToken: string }).accessToken}`;
      const half = wire('POST /login', [JSON_TYPE, 'Content-Length: 100'], '{');
      const ofHalves = Promise.all(
        Array.from({ length: 5 }, () => exchange(service, half, { timeoutMs: 20_000 })),
      );
      const read = await open(service);
      // Another caller, because one may run at most half of all exports.
      unread = await open(service, { authorization: authorization.replace('Authorization: ', '') });
      const holder = new Connection({ connectionString: database.url });
      await holder.connect();
      await holder.query('begin');
      await holder.query('select 1 from products where id = $1 for update', [id]);
      const patch = wire(`PATCH ${PRODUCTS}/${id}`, [authorization, JSON_TYPE], '{"price":2}');
      const ofChange = exchange(service, patch);
      const halfHeader = 'GET /health/live HTTP/1.1\r\nHost: a\r\n';
      const ofSilent = Promise.all(['', halfHeader].map((text) => exchange(service, [text])));
      let goOn = (): void => undefined;
      const stopping = new Promise<void>((resolve) => (goOn = resolve));
      const later = (path: string): Promise<Exchange> =>
        exchange(service, [`GET ${path} HTTP/1.1\r\nHost: a\r\n`, stopping, '\r\n']);
      const [ofProbe, ofLate] = [later('/health/ready'), later('/api/v1/users')];
      await waitersForLocks(database.url, 1);
      // When this response arrives, the service knows all connections before it.
      await exchange(service, wire('GET /health/live'));
      const startedAt = performance.now();
      service.kill('SIGTERM');
      const end = endOf(service, startedAt);
      const ofRead = countLines(read);
      await eventually(() => isRefused(service), true, 30_000);
      goOn();
      // A second SIGTERM changes nothing.
      service.kill('SIGTERM');
      [probe, late] = await Promise.all([ofProbe, ofLate]);
      await holder.query('rollback');
      await holder.end();
      [change, halves, silent, lines, ended] = await Promise.all([ofChange, ofHalves, ofSilent, ofRead, end]);
    });

    it('even if a second SIGTERM is sent', () => {
      expect(ended.code).toBe(0);
      expect(ended.seconds).toBeLessThan(10);
    });

    it('after answering 408 to half-sent bodies', () => {
      expect(halves).toHaveLength(5);
      for (const { answer, isClosed } of halves) {
        expectError(answer, 408, 'REQUEST_TIMEOUT');
        expect(isClosed).toBe(true);
      }
    });

    it('after answering the requests in progress, but no new ones', async () => {
      expectError(probe.answer, 503, 'NOT_READY');
      expectError(late.answer, 401, 'AUTHENTICATION_REQUIRED');
      expect(late.answer.headers.get('connection')).toBe('close');
      expect([change.answer.status, change.answer.body]).toEqual([
        200,
        expect.objectContaining({ price: 2 }),
      ]);
      expect(silent.map(({ isClosed }) => isClosed)).toEqual([true, true]);
      expect(await database.query('select price from products where id = $1', [id])).toEqual([
        { price: '2.00' },
      ]);
    });

    it('after writing all of the log to a reader', () => {
      const logged = service.log
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(logged.filter(({ route }) => route === PRODUCTS)).toHaveLength(answers);
      expect(logged).toContainEqual(expect.objectContaining({ method: 'PATCH', status: 200 }));
    });

    it('after sending all of an export to a client that reads', () => {
      expect(lines).toBe(4001);
    });

    it('after aborting the export of a client that does not read', async () => {
      await expect(countLines(unread)).rejects.toThrow('aborted');
    });
  });
});
