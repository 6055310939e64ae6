import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';

import { createCertificate } from '../support/certificate.js';
import { createDatabase, run, TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { describeWithOwnService } from '../support/needs.js';
import { ServiceProcess } from '../support/service-process.js';

const OLD = 'the-secret-before-it-of-32-bytes-or-more';
const NEW = 'the-secret-after-it-of-32-bytes-or-more!';
const ADMIN = { email: 'admin@example.com', password: 'a password of the tests' };
const ROLE = `service_rotation_${process.pid}`;
const CALLERS = 8;

const kidOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()) as { kid: string }).kid;

describeWithOwnService('O4 secrets are rotated by SIGHUP', () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-rotation-'));
  const [jwtFile, urlFile] = [join(folder, 'jwt'), join(folder, 'database-url')];
  const [current, previous] = [join(folder, 'current.pem'), join(folder, 'previous.pem')];
  let database: TestDatabase;
  let service: ServiceProcess;

  const newPem = (): string =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }) as string;
  const urlAs = (user: string, password: string): string =>
    Object.assign(new URL(database.url), { username: user, password }).href;

  beforeAll(async () => {
    database = await createDatabase();
    for (const name of ['a', 'b'])
      await run(database.url, `create role "${ROLE}_${name}" superuser login password 'password of ${name}'`);
    writeFileSync(jwtFile, `${OLD}\n`);
    writeFileSync(urlFile, `${urlAs(`${ROLE}_a`, 'password of a')}\n`);
    service = await ServiceProcess.started({
      NODE_ENV: 'test',
      DATABASE_URL_FILE: urlFile,
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
    for (const name of ['a', 'b'])
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
    const sessionsOf = async (name: string): Promise<number> =>
      (
        await run(
          database.url,
          'select from pg_stat_activity where usename = $1 and datname = current_database()',
          [`${ROLE}_${name}`],
        )
      ).length;
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
