import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';

import { Redis } from 'ioredis';

import { createCertificate } from '../support/certificate.js';
import { createDatabase, run, TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { describeWithOwnService, skipping } from '../support/needs.js';
import { hasRedis, startRedis, TestRedis } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';

const OLD = 'the-secret-before-it-of-32-bytes-or-more';
const NEW = 'the-secret-after-it-of-32-bytes-or-more!';
const ADMIN = { email: 'admin@example.com', password: 'a password of the tests' };
const ROLE = `service_rotation_${process.pid}`;
const ROLES = ['a', 'b', 'c', 'd'];
const CALLERS = 8;

const kidOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()) as { kid: string }).kid;

describeWithOwnService('O4 secrets are rotated by SIGHUP', () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-rotation-'));
  const [jwtFile, urlFile] = [join(folder, 'jwt'), join(folder, 'database-url')];
  const [replicasFile, redisFile] = [join(folder, 'replica-urls'), join(folder, 'redis-url')];
  const [current, previous] = [join(folder, 'current.pem'), join(folder, 'previous.pem')];
  let database: TestDatabase;
  let service: ServiceProcess;
  let redis: TestRedis | undefined;

  const newPem = (): string =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }) as string;
  const urlAs = (user: string, password: string): string =>
    Object.assign(new URL(database.url), { username: user, password }).href;

  /** The number of connections that a role has. */
  const sessionsOf = async (name: string): Promise<number> =>
    (
      await run(
        database.url,
        'select from pg_stat_activity where usename = $1 and datname = current_database()',
        [`${ROLE}_${name}`],
      )
    ).length;

  beforeAll(async () => {
    database = await createDatabase();
    redis = hasRedis ? await startRedis() : undefined;
    for (const name of ROLES)
      await run(database.url, `create role "${ROLE}_${name}" superuser login password 'password of ${name}'`);
    writeFileSync(jwtFile, `${OLD}\n`);
    writeFileSync(urlFile, `${urlAs(`${ROLE}_a`, 'password of a')}\n`);
    // No replica, and so never read from; but it is connected to, and asked how far it is.
    writeFileSync(replicasFile, urlAs(`${ROLE}_c`, 'password of c'));
    if (redis) writeFileSync(redisFile, redis.url);
    service = await ServiceProcess.started({
      NODE_ENV: 'test',
      DATABASE_URL_FILE: urlFile,
      DATABASE_REPLICA_URLS_FILE: replicasFile,
      ...(redis && { REDIS_URL_FILE: redisFile, SESSION_STORE: 'redis' }),
      JWT_SECRET_FILE: jwtFile,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      RATE_LIMIT: '0',
    });
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await database.drop();
    await redis?.remove();
    for (const name of ROLES)
      await run(process.env['TEST_SERVER_URL'] ?? '', `drop role if exists "${ROLE}_${name}"`);
    rmSync(folder, { recursive: true });
  });

  const base = (): string => `http://127.0.0.1:${service.port}`;
  async function login(): Promise<string> {
    const response = await fetch(`${base()}/api/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    });
    return ((await response.json()) as { accessToken: string }).accessToken;
  }
  const get = (token: string, path = '/api/v1/products?limit=1'): Promise<Response> =>
    fetch(base() + path, { headers: { authorization: `Bearer ${token}` } });
  const statusOf = async (token: string, path?: string): Promise<number> => (await get(token, path)).status;
  /** Sends the signal, and waits for what the log says of it. */
  async function rotate(expected = /The secrets were read anew/): Promise<void> {
    const before = service.log.length;
    service.kill('SIGHUP');
    await eventually(() => Promise.resolve(expected.test(service.log.slice(before))), true, 20_000);
  }

  /** Statuses other than 200 that callers get who call all the time while `work` is done. */
  async function refusalsDuring(tokens: string[], work: () => Promise<void>): Promise<number[]> {
    const refusals: number[] = [];
    const over = new AbortController();
    let answers = 0;
    const callers = Array.from({ length: CALLERS }, async (_, i) => {
      while (!over.signal.aborted) {
        const status = await statusOf(tokens[i % tokens.length] as string);
        answers++;
        if (status !== 200) refusals.push(status);
      }
    });
    try {
      await eventually(() => Promise.resolve(answers > CALLERS * 5), true, 30_000);
      await work();
      const until = answers + CALLERS * 5;
      await eventually(() => Promise.resolve(answers > until), true, 30_000);
    } finally {
      over.abort();
      await Promise.all(callers);
    }
    return refusals;
  }

  it('JWT_SECRET: the new one signs, the old one holds until it is taken out, without a 401', async () => {
    const old = await login();
    for (const name of ['one', 'two'])
      await fetch(`${base()}/api/v1/products`, {
        method: 'POST',
        headers: { authorization: `Bearer ${old}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, price: 1, category: 'Tried' }),
      });
    const page = (await (await get(old, '/api/v1/products?limit=1&cursor=')).json()) as {
      pagination: { nextCursor: string };
    };
    const cursor = `/api/v1/products?limit=1&cursor=${page.pagination.nextCursor}`;

    const refusals = await refusalsDuring([old], async () => {
      writeFileSync(jwtFile, `${NEW},${OLD}`);
      await rotate();
    });
    expect(refusals).toEqual([]);
    const fresh = await login();
    expect(kidOf(fresh)).not.toBe(kidOf(old));
    expect([await statusOf(old), await statusOf(fresh), await statusOf(old, cursor)]).toEqual([
      200, 200, 200,
    ]);

    const later = await refusalsDuring([fresh], async () => {
      writeFileSync(jwtFile, NEW);
      await rotate();
    });
    expect(later).toEqual([]);
    expect([await statusOf(old), await statusOf(fresh), await statusOf(fresh, cursor)]).toEqual([
      401, 200, 400,
    ]);
  });

  it('DATABASE_URL: connections of the old role end, and no request fails', async () => {
    const token = await login();
    expect(await sessionsOf('a')).toBeGreaterThan(0);
    const refusals = await refusalsDuring([token], async () => {
      writeFileSync(urlFile, urlAs(`${ROLE}_b`, 'password of b'));
      await rotate();
      await eventually(() => sessionsOf('a'), 0, 20_000);
    });
    expect(refusals).toEqual([]);
    expect(await sessionsOf('b')).toBeGreaterThan(1);
    await run(database.url, `alter role "${ROLE}_a" nologin`);
    expect(await statusOf(token)).toBe(200);
  });

  it('DATABASE_REPLICA_URLS: connections of the old role end', async () => {
    await eventually(async () => (await sessionsOf('c')) > 0, true, 20_000);
    writeFileSync(replicasFile, urlAs(`${ROLE}_d`, 'password of d'));
    await rotate();
    await eventually(() => sessionsOf('c'), 0, 20_000);
    await eventually(async () => (await sessionsOf('d')) > 0, true, 20_000);
    writeFileSync(replicasFile, '');
    await rotate(/stay as they are: DATABASE_REPLICA_URLS/);
    writeFileSync(replicasFile, urlAs(`${ROLE}_d`, 'password of d'));
    await rotate();
  });

  (hasRedis ? it : skipping(it, 'redis-server is not installed'))(
    'REDIS_URL: the next connection is opened by the new password',
    async () => {
      const url = new URL(redis?.url ?? '');
      const owner = new Redis(url.href);
      const sessionLogin = async (): Promise<number> => {
        const body = JSON.stringify({ ...ADMIN, scheme: 'session' });
        const headers = { 'content-type': 'application/json' };
        return (await fetch(`${base()}/api/v1/login`, { method: 'POST', headers, body })).status;
      };
      expect(await sessionLogin()).toBe(200);
      await owner.config('SET', 'requirepass', 'a new one');
      await owner.auth('a new one');
      writeFileSync(redisFile, Object.assign(url, { password: 'a new one' }).href);
      await rotate();
      await owner.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      owner.disconnect();
      await eventually(sessionLogin, 200, 20_000);
    },
  );

  it('a fault in what is read changes nothing, and the log names it', async () => {
    const token = await login();
    writeFileSync(jwtFile, 'short');
    await rotate(/The secrets stay as they are: JWT_SECRET: got a value, takes/);
    writeFileSync(jwtFile, NEW);
    writeFileSync(urlFile, urlAs(`${ROLE}_b`, 'password of b').replace(/\/[^/]*$/, '/elsewhere'));
    await rotate(/stay as they are: DATABASE_URL: names another server or database/);
    writeFileSync(urlFile, urlAs(`${ROLE}_b`, 'password of b'));
    await rotate();
    expect(await statusOf(token)).toBe(200);
    for (const secret of [NEW, 'password of b']) expect(service.log + service.output).not.toContain(secret);
  });

  it('JWT_PRIVATE_KEY_FILES and the certificate: what the files hold now', async () => {
    const [first, second] = [createCertificate(), createCertificate()];
    writeFileSync(current, newPem());
    writeFileSync(previous, newPem());
    const secure = await ServiceProcess.started({
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      JWT_PRIVATE_KEY_FILES: `${current},${previous}`,
      TLS_CERT_FILE: first.certFile,
      TLS_KEY_FILE: first.keyFile,
    });
    const port = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(secure.output)?.[1]);
    const served = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
          resolve(socket.getPeerCertificate().raw.toString('base64'));
          socket.destroy();
        });
        socket.on('error', reject);
      });
    const before = await served();
    copyFileSync(current, previous);
    writeFileSync(current, newPem());
    copyFileSync(second.certFile, first.certFile);
    copyFileSync(second.keyFile, first.keyFile);
    secure.kill('SIGHUP');
    await eventually(async () => (await served()) !== before, true, 20_000);
    await eventually(() => Promise.resolve(/read anew; the key \S+ signs/.test(secure.log)), true, 20_000);
    secure.kill('SIGTERM');
    expect(await secure.exited).toBe(0);
    for (const certificate of [first, second]) certificate.remove();
  });
});

describeWithOwnService('O4 signals that come while the service is loading', () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-signals-'));
  const secretFile = join(folder, 'jwt');
  const preload = ['--require', join(process.cwd(), 'test/support/preload/early-signals.cjs')];
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each(['1', '2'])('are obeyed when it has started, with WORKERS=%s', async (workers) => {
    writeFileSync(secretFile, OLD);
    const database = await createDatabase();
    const settings = { DATABASE_URL: database.url, JWT_SECRET_FILE: secretFile, WORKERS: workers };
    const service = await ServiceProcess.started(settings, { nodeOptions: preload });
    for (const line of [/the log level was changed by a signal/, /The secrets were read anew/])
      await eventually(() => Promise.resolve(line.test(service.log)), true, 20_000);
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    await database.drop();
  });

  it('SIGHUP ends it, where no secret comes from a file', async () => {
    const service = new ServiceProcess(
      { DATABASE_URL: 'postgres://a@127.0.0.1:1/a' },
      { nodeOptions: preload },
    );
    expect(await service.exited).toBe('SIGHUP');
  });
});
