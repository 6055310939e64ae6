import { eventually } from '@plinth/dev/testing';

import { createDatabase, TestDatabase } from '../support/databases.js';
import { exchange, wire } from '../support/raw-http.js';
import { describeWithRedis, startRedis, TestRedis } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';

interface Line {
  readonly level: number;
  readonly msg?: string;
  readonly requestId?: string;
  readonly [field: string]: unknown;
}

const PRODUCTS = '/api/v1/products';

describeWithRedis('the log', () => {
  /** Everything that must not appear in the log, by its meaning. */
  const secrets = new Map<string, string>();
  const secret = (what: string, value: string): string => {
    secrets.set(what, value);
    return value;
  };
  const password = secret('the password of the administrator', 'pw-adm-9f3b-correct-horse');
  const email = 'ada@example.com';

  let database: TestDatabase;
  let redis: TestRedis;
  let service: ServiceProcess;
  let authorization: string;
  beforeAll(async () => {
    [database, redis] = await Promise.all([createDatabase(), startRedis()]);
    const url = new URL(database.url);
    secret('the password of the database', url.password);
    service = await ServiceProcess.started({
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      DATABASE_STATEMENT_TIMEOUT_MS: '2000',
      REDIS_URL: redis.url,
      SESSION_STORE: 'redis',
      JWT_SECRET: secret('the key of tokens', 'jwt-key-71c0aa-of-32-bytes-or-more'),
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'trace',
    });
    const login = await send('POST', '/login', { email, password });
    authorization = `Bearer ${secret('an access token', ((await login.json()) as { accessToken: string }).accessToken)}`;
    for (const cookie of login.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(cookie) ?? [];
      secret(`the cookie ${name}`, value);
    }
  });
  afterAll(async () => {
    service.kill('SIGKILL');
    await service.exited;
    await redis.remove();
    await database.drop();
  });

  const send = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(authorization && { authorization }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    // The line is written after the whole response has been sent.
    await response.clone().text();
    return response;
  };

  const lines = (): Line[] =>
    service.log
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  const found = async (is: (line: Line) => boolean): Promise<Line> => {
    await eventually(() => Promise.resolve(lines().some(is)), true, 20_000);
    return lines().find(is) as Line;
  };

  it('contains none of the secrets, credentials, queries and bodies that requests contained, at any level', async () => {
    const wrong = secret('a wrong password', 'pw-wrong-1d77');
    await send('POST', '/login', { email, password: wrong });
    const user = {
      email: 'bob@example.com',
      password: secret('the password of a user', 'pw-bob-40cc-secret'),
    };
    expect((await send('POST', '/api/v1/users', user)).status).toBe(201);
    const pair = Buffer.from(`${user.email}:${user.password}`).toString('base64');
    const basic = { authorization: `Basic ${secret('a pair in Basic', pair)}` };
    expect((await send('GET', PRODUCTS, undefined, basic)).status).toBe(200);
    const made = await send('POST', '/api/v1/api-keys', { name: 'a key', permissions: ['read'] });
    const key = secret('an API key', ((await made.json()) as { key: string }).key);
    expect((await exchange(service, wire(`GET ${PRODUCTS}`, [`X-API-Key: ${key}`]))).answer.status).toBe(200);
    const cookie = `session_id=${secrets.get('the cookie session_id') ?? ''}`;
    expect((await exchange(service, wire(`GET ${PRODUCTS}`, [`Cookie: ${cookie}`]))).answer.status).toBe(200);
    const bad = { authorization: `Bearer ${secret('a bad token', 'bad.token-aa19.value')}` };
    expect((await send('GET', PRODUCTS, undefined, bad)).status).toBe(401);
    await send('GET', `${PRODUCTS}?category=${secret('a query', 'query-cat-8812')}`);
    await send('GET', `${PRODUCTS}/${secret('a path', 'path-x-3391')}`);
    const once = { 'idempotency-key': secret('an Idempotency-Key', 'idem-key-55d0') };
    const body = { name: secret('a body', 'body-name-7c3e'), price: 1, category: 'c' };
    expect((await send('POST', PRODUCTS, body, once)).status).toBe(201);
    await send('POST', PRODUCTS, { ...body, price: secret('a bad value', 'bad-price-02fe') });
    await exchange(
      service,
      `GET /${secret('a target', 'target-91ab')} HTTP/1.1\r\nHost: a\r\nBad Header\r\n\r\n`,
    );
    await exchange(
      service,
      `POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nContent-Type: application/json\r\n\r\n{"pw-raw-1`,
    );
    secret('a broken body', 'pw-raw-1');
    // An error of the database that quotes a value.
    await database.query(`
      create function refuse() returns trigger language plpgsql as
        $$ begin perform new.name::int; return new; end $$`);
    await database.query(
      'create trigger refuse before insert on products for each row execute function refuse()',
    );
    const quoted = secret('a value that PostgreSQL quotes', 'quoted-value-66e2');
    const refused = await send('POST', PRODUCTS, { ...body, name: quoted }, { 'x-request-id': 'quoted-1' });
    await database.query('drop trigger refuse on products');
    await found(({ requestId }) => requestId === 'quoted-1');
    expect(refused.status).toBeGreaterThanOrEqual(400);
    const refresh = { cookie: `refresh_token=${secrets.get('the cookie refresh_token') ?? ''}` };
    await send('POST', '/auth/refresh', undefined, refresh);
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(lines().length).toBeGreaterThan(15);
    expect(secrets.size).toBeGreaterThan(18);
    const said = service.log + service.output;
    const leaked = [...secrets]
      .filter(([, value]) => value !== '' && said.includes(value))
      .map(([what]) => what);
    expect(leaked).toEqual([]);
  });
});
