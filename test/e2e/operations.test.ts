import { Answer, eventually } from '@plinth/dev/testing';

import { startApp, TestApp } from '../support/app.js';
import { BareApp, OwnApp, startBare, startInProcess } from '../support/own-app.js';
import { authorizationOf, exchange, expectError, wire } from '../support/raw-http.js';

const PRODUCTS = '/api/v1/products';
const PRODUCTION = { NODE_ENV: 'production', MAIL: 'off' };
const JSON_TYPE = 'Content-Type: application/json';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let app: TestApp;
const send = async (line: string, headers: string[] = [], body = ''): Promise<Answer> =>
  (await exchange(app, wire(line, headers, body))).answer;
const within = async (settings: Record<string, string>, test: () => Promise<void>): Promise<void> => {
  app = await startApp(settings);
  try {
    await test();
  } finally {
    await app.stop();
  }
};

describe('health', () => {
  it('is live, and ready once the database answers and migrations are applied', () =>
    within({}, async () => {
      for (const path of ['/health/live', '/health/ready']) {
        const answer = await app.anonymous.get(path);
        expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect((await app.anonymous.head(path)).status).toBe(200);
      }
    }));

  it('is not ready while a migration is missing, and names it', () =>
    within({}, async () => {
      const [last] = await app.query<{ id: number; name: string }>(
        'select id, name from migrations order by id desc limit 1',
      );
      await app.query('delete from migrations where id = $1', [last?.id]);
      const answer = await app.anonymous.get('/health/ready');
      expectError(answer, 503, 'NOT_READY');
      expect(answer.text).toContain(last?.name);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      await app.query('alter table migrations rename to migrated');
      expectError(await app.anonymous.get('/health/ready'), 503, 'NOT_READY');
      expect((await app.anonymous.get('/health/live')).status).toBe(200);
    }));
});

describe('services whose document is refused as well', () => {
  let bare: BareApp | undefined;
  const ask = async (line: string, headers: string[] = [], body = ''): Promise<Answer> =>
    (await exchange(bare as BareApp, wire(line, headers, body))).answer;
  afterEach(() => bare?.stop());

  it('MAINTENANCE answers 503 to everything except health', async () => {
    bare = await startBare({ MAINTENANCE: 'true', DOCS: 'true' });
    for (const [line, body] of [
      [`GET ${PRODUCTS}`],
      ['POST /login', '{'],
      ['GET /nothing'],
      ['GET /docs/openapi.json'],
      ['GET /healthy'],
      [`OPTIONS ${PRODUCTS}`],
    ] as const) {
      const answer = await ask(line, ['Authorization: Bearer a.b.c', JSON_TYPE], body);
      expectError(answer, 503, 'MAINTENANCE');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await ask('GET /health/live')).status).toBe(200);
    expect((await ask('GET /health/ready')).status).toBe(200);
  });

  it('production requires TLS, whatever the proxy in front of it says', async () => {
    bare = await startBare({ ...PRODUCTION, TRUST_PROXY: 'loopback' });
    const behind: [string, string[], number][] = [
      ['no proxy', [], 403],
      ['a proxy that says http', ['X-Forwarded-Proto: http'], 403],
      ['a proxy that says https', ['X-Forwarded-Proto: https'], 401],
      ['two proxies, of which the nearer says http', ['X-Forwarded-Proto: https, http'], 403],
    ];
    for (const [what, headers, status] of behind) {
      const answer = await ask(`GET ${PRODUCTS}`, ['X-Forwarded-For: 203.0.113.1', ...headers]);
      expect([what, answer.status]).toEqual([what, status]);
      expectError(answer, status, status === 403 ? 'HTTPS_REQUIRED' : 'AUTHENTICATION_REQUIRED');
      const hsts = answer.headers.get('strict-transport-security');
      if (status === 403) expect(hsts).toBeNull();
      else expect(hsts).toMatch(/^max-age=\d{8,}/);
    }
    // Health probes come without TLS.
    expect((await ask('GET /health/live')).status).toBe(200);
  });

  it.each([
    ['max-age=300; includeSubDomains', 'max-age=300; includeSubDomains'],
    ['off', null],
  ])('HSTS=%s is sent as Strict-Transport-Security', async (value, expected) => {
    bare = await startBare({ ...PRODUCTION, TRUST_PROXY: 'loopback', HSTS: value });
    const headers = ['X-Forwarded-For: 203.0.113.1', 'X-Forwarded-Proto: https'];
    const answer = await ask(`GET ${PRODUCTS}`, headers);
    expect(answer.headers.get('strict-transport-security')).toBe(expected);
  });

  it('production trusts no forwarded header without a trusted proxy, and refuses before it reads a body', async () => {
    bare = await startBare(PRODUCTION);
    const forged = ['X-Forwarded-Proto: https', 'X-Forwarded-For: 203.0.113.1', 'Forwarded: proto=https'];
    expectError(await ask(`GET ${PRODUCTS}`, forged), 403, 'HTTPS_REQUIRED');
    expectError(await ask('POST /login', [JSON_TYPE, 'Content-Length: 100']), 403, 'HTTPS_REQUIRED');
    expectError(await ask('GET /nothing'), 403, 'HTTPS_REQUIRED');
  });
});

describe('X-Request-Id', () => {
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.stop());

  it.each(['a', 'trace-1.2_3', 'x'.repeat(128)])('is accepted and returned: %s', async (id) => {
    for (const line of [`GET ${PRODUCTS}`, 'GET /nothing', 'GET /%ZZ', 'GET /health/live']) {
      expect((await send(line, [`X-Request-Id: ${id}`])).headers.get('x-request-id')).toBe(id);
    }
  });

  it.each([
    [],
    ['X-Request-Id: '],
    ['X-Request-Id: a b'],
    ['X-Request-Id: a"b'],
    ['X-Request-Id: é'],
    [`X-Request-Id: ${'x'.repeat(129)}`],
    ['X-Request-Id: a', 'X-Request-Id: b'],
  ])('is generated if none, several or an invalid one is sent: %p %p', async (...headers) => {
    const ids = [await send('GET /health/live', headers), await send('GET /health/live', headers)].map(
      (answer) => answer.headers.get('x-request-id'),
    );
    expect(ids[0]).toMatch(UUID);
    expect(ids[1]).toMatch(UUID);
    expect(ids[0]).not.toBe(ids[1]);
  });
});

describe('the log', () => {
  let log: OwnApp['log'];
  beforeAll(async () => {
    const own = await startInProcess();
    ({ log } = own);
    app = own;
  });
  afterAll(() => app.stop());
  const lineOf = async (id: string, lines = log): Promise<Record<string, unknown> | undefined> => {
    // The line is written after the response.
    for (let i = 0; i < 50; i++) {
      const line = lines.find((each) => each['requestId'] === id && 'ms' in each);
      if (line) return line;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return undefined;
  };

  it('has a line for each request with its outcome and nothing else', async () => {
    const { id, email, password } = await app.user('viewer');
    const { body } = await app.anonymous.post('/login', { email, password });
    const authorization = `Authorization: Bearer ${(body as { accessToken: string }).accessToken}`;
    for (const [request, line, headers, expected] of [
      [
        'log-1',
        `GET ${PRODUCTS}?limit=5`,
        [authorization],
        { method: 'GET', route: PRODUCTS, status: 200, caller: id, scheme: 'bearer' },
      ],
      [
        'log-2',
        `GET ${PRODUCTS}/99999999`,
        [authorization],
        { method: 'GET', route: `${PRODUCTS}/:id`, status: 404, caller: id, scheme: 'bearer' },
      ],
      [
        'log-3',
        `DELETE ${PRODUCTS}/1`,
        [authorization],
        { method: 'DELETE', route: `${PRODUCTS}/:id`, status: 403, caller: id, scheme: 'bearer' },
      ],
      [
        'log-4',
        `GET ${PRODUCTS}`,
        [],
        { method: 'GET', route: PRODUCTS, status: 401, caller: null, scheme: null },
      ],
      ['log-5', 'GET /nothing', [], { method: 'GET', route: null, status: 404, caller: null, scheme: null }],
      ['log-6', 'GET /%ZZ', [], { method: 'GET', route: null, status: 400, caller: null, scheme: null }],
      [
        'log-7',
        `PUT ${PRODUCTS}`,
        [],
        { method: 'PUT', route: null, status: 405, caller: null, scheme: null },
      ],
    ] as const) {
      await send(line, [...headers, `X-Request-Id: ${request}`]);
      const found = (await lineOf(request)) ?? {};
      const { time, level, ms, ...others } = found;
      expect(others).toEqual({ ...expected, requestId: request, address: '127.0.0.1' });
      expect([typeof time, level]).toEqual(['number', 30]);
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThan(5_000);
    }
  });

  it('has a line for CONNECT, with its method and id', async () => {
    await send('CONNECT localhost:80', ['X-Request-Id: connect']);
    const fields = { method: 'CONNECT', route: null, status: 400, caller: null, scheme: null };
    expect(await lineOf('connect')).toMatchObject({ ...fields, address: '127.0.0.1' });
  });

  it('has the address of the connection, which a client cannot choose', async () => {
    await send(`GET ${PRODUCTS}`, ['X-Request-Id: chosen', 'X-Forwarded-For: 203.0.113.1']);
    expect(await lineOf('chosen')).toMatchObject({ address: '127.0.0.1' });
  });

  it('has the address that a trusted proxy names', async () => {
    const behind = await startInProcess({ TRUST_PROXY: '127.0.0.1,10.0.0.0/8' });
    try {
      for (const [id, forwardedFor, address] of [
        ['one', '203.0.113.1', '203.0.113.1'],
        ['last-untrusted', '198.51.100.9, 203.0.113.2, 10.1.2.3', '203.0.113.2'],
        ['no-address', 'nonsense', '127.0.0.1'],
      ] as const) {
        const headers = [`X-Request-Id: ${id}`, `X-Forwarded-For: ${forwardedFor}`];
        await exchange(behind, wire(`GET ${PRODUCTS}`, headers));
        expect(await lineOf(id, behind.log)).toMatchObject({ address });
      }
    } finally {
      await behind.stop();
    }
  });

  it('has a line for a request whose client leaves before the response', async () => {
    await exchange(
      app,
      wire('POST /login', [JSON_TYPE, 'Content-Length: 90', 'X-Request-Id: gone'], '{"email":'),
      { timeoutMs: 50 },
    );
    expect(await lineOf('gone')).toMatchObject({
      method: 'POST',
      route: '/login',
      status: 499,
      address: '127.0.0.1',
    });
    // No other line was written, because nothing has failed.
    expect(log.filter(({ requestId }) => requestId === 'gone')).toHaveLength(1);
  });

  it('has no failure for an export whose client leaves before its first row', async () => {
    const headers = [await authorizationOf(app, 'viewer'), 'Accept: text/csv', 'X-Request-Id: left'];
    await app.query(`insert into products (name, price, category) values ('Lamp', 1, 'lamps')`);
    const sleeping = `from pg_stat_activity where query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`;
    const locked = app.query('lock products; select pg_sleep(30)').catch(() => undefined);
    const isSleeping = `select 1 ${sleeping} and wait_event = 'PgSleep'`;
    await eventually(async () => (await app.query(isSleeping)).length, 1, 20_000);
    // The client leaves while the export waits for the lock.
    await exchange(app, wire(`GET ${PRODUCTS}`, headers), { timeoutMs: 1_000 });
    const ofExport = (): object[] => log.filter(({ requestId }) => requestId === 'left');
    await eventually(() => Promise.resolve(ofExport().length), 1, 20_000);
    await app.query(`select pg_cancel_backend(pid) ${sleeping}`);
    await locked;
    expect((await send(`GET ${PRODUCTS}`, headers.slice(0, 2))).status).toBe(200);
    expect(ofExport()).toMatchObject([{ status: 499 }]);
  });

  it('has the stack of a failure with the id of its request, but the client gets no stack', async () => {
    const viewer = await app.as('viewer');
    await app.query('alter table products rename to things');
    const answer = await viewer.get(PRODUCTS, { 'x-request-id': 'failed' });
    await app.query('alter table things rename to products');
    expectError(answer, 500, 'INTERNAL_ERROR');
    expect(answer.text).not.toMatch(/products|relation|select/);
    expect(answer.headers.get('x-request-id')).toBe('failed');
    const report = log.find((line) => line['requestId'] === 'failed' && 'error' in line);
    expect(report).toMatchObject({
      level: 50,
      route: PRODUCTS,
      error: { code: '42P01', stack: expect.stringContaining('\n    at ') },
    });
    expect(await lineOf('failed')).toMatchObject({ status: 500 });
    expect((await viewer.get(PRODUCTS)).status).toBe(200);
  });
});
