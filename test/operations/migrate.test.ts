import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventually } from '@plinth/dev/testing';

import { BASE_MIGRATIONS } from '../../packages/core/src/database/migrations/migrations.js';
import { MIGRATIONS } from '../../src/migrations/migrations.js';
import { createFrom, databaseOf, dropIfThere, run } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { SECRET } from '../support/settings.js';

/** The names of all migrations, ordered by the timestamps at their ends. */
const inOrder = (names: string[]): string[] => names.sort((a, b) => a.slice(-13).localeCompare(b.slice(-13)));

const NAME = `service_migrate_${process.pid}`;
const OWNER = `${NAME}_owner`;
const CREATOR = `${NAME}_creator`;
const PASSWORD = 'a-password-of-the-tests';
const NAMES = inOrder([...BASE_MIGRATIONS, ...MIGRATIONS].map(({ name }) => name));

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs `npm run migrate` as in production: the compiled program, without a secret in its environment. */
function migrate(url: string): Promise<Ended> {
  const { PATH = '' } = process.env;
  const env = { PATH, NODE_ENV: 'production', DATABASE_URL: url };
  return new Promise((resolve) => {
    execFile(process.execPath, ['dist/src/migrate.js'], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

/** Runs deploy/postgres/roles.sql with psql, for roles with the names of this test. @returns the exit code */
function createRoles(url: string): number | null {
  const script = readFileSync(join(process.cwd(), 'deploy/postgres/roles.sql'), 'utf8');
  const input = script.replaceAll('service_owner', OWNER).replaceAll(/\bservice\b/g, NAME);
  return spawnSync('psql', [url, '--quiet', '--no-psqlrc'], { input }).status;
}

// CI installs psql, together with Debian's PostgreSQL.
const describeWithPsql = spawnSync('psql', ['--version']).status === 0 ? describe : describe.skip;

describeWithPsql.each([
  ['a superuser', 'superuser'],
  // As on a managed server.
  ['a role with CREATEROLE that owns the database', 'createrole createdb'],
])('migrations that a role of their own runs, after %s has created the roles', (_title, rights) => {
  let [superuser, owner, server, creator] = ['', '', '', ''];
  const urlOf = (role: string): string => {
    const url = new URL(superuser);
    url.username = role;
    url.password = PASSWORD;
    return url.href;
  };

  beforeAll(async () => {
    superuser = databaseOf(NAME);
    [owner, server, creator] = [urlOf(OWNER), urlOf(NAME), urlOf(CREATOR)];
    await createFrom('template0', NAME);
    await run(superuser, `create role "${CREATOR}" login ${rights} password '${PASSWORD}'`);
    // Without the database, the role may not create the rights, and nothing is created.
    if (!rights.startsWith('superuser')) {
      expect(createRoles(creator)).toBe(3);
      expect(await run(superuser, `select rolname from pg_roles where rolname = '${OWNER}'`)).toEqual([]);
      await run(superuser, `alter database "${NAME}" owner to "${CREATOR}"`);
    }
    expect(createRoles(creator)).toBe(0);
    for (const role of [OWNER, NAME]) await run(superuser, `alter role "${role}" password '${PASSWORD}'`);
  });
  afterAll(async () => {
    await dropIfThere(NAME);
    for (const role of [OWNER, NAME, CREATOR])
      await run(process.env['TEST_SERVER_URL'] ?? '', `drop role if exists "${role}"`);
  });

  it('are awaited with DATABASE_MIGRATE=false by a service that is not ready until then and has no rights on the schema', async () => {
    const service = await ServiceProcess.started({
      DATABASE_URL: server,
      DATABASE_MIGRATE: 'false',
      JWT_SECRET: SECRET,
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: PASSWORD,
    });
    const base = `http://127.0.0.1:${service.port}`;
    const statusOf = async (path: string): Promise<number> => (await fetch(base + path)).status;
    const ready = await fetch(`${base}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain(NAMES.at(-1));
    expect(await statusOf('/health/live')).toBe(200);
    const refused = await fetch(`${base}/api/v1/products`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.text()).toContain('DATABASE_UNAVAILABLE');
    expect(service.output).toContain(NAMES[0]);

    const migrated = await migrate(owner);
    expect([migrated.code, migrated.output.trim().split('\n')]).toEqual([0, NAMES]);
    await eventually(() => statusOf('/health/ready'), 200, 30_000);
    await eventually(() => Promise.resolve(service.output.includes('admin@example.com')), true, 30_000);

    const login = await fetch(`${base}/api/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@example.com', password: PASSWORD }),
    });
    const { accessToken } = (await login.json()) as { accessToken: string };
    const call = async (method: string, path: string, body?: object): Promise<number> => {
      const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
      return (await fetch(base + path, { method, headers, body: JSON.stringify(body) })).status;
    };
    expect(await call('POST', '/api/v1/products', { name: 'Lamp', price: 10, category: 'Light' })).toBe(201);
    expect(await call('POST', '/api/v1/products/1/reviews', { rating: 5 })).toBe(201);
    expect(await call('POST', '/api/v1/users/1/orders', { items: [{ productId: 1, quantity: 2 }] })).toBe(
      201,
    );
    expect(await call('PATCH', '/api/v1/products/1', { price: 11 })).toBe(200);
    expect(await call('GET', '/api/v1/orders')).toBe(200);
    expect(await call('DELETE', '/api/v1/products/1/reviews/1')).toBe(204);
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  });

  it.each(['create table more (id int)', 'alter table products add column more int', 'drop table reviews'])(
    'are forbidden to the role that serves: %s',
    async (statement) => {
      await expect(run(server, statement)).rejects.toThrow(/permission denied|must be owner/);
    },
  );

  it('let the role that serves send messages to replicas', async () => {
    const text = "select pg_logical_emit_message(true, 'replica_writers', '') is not null as is";
    expect(await run(server, text)).toEqual([{ is: true }]);
  });
});
