import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { Redis } from 'ioredis';

import { PRODUCT } from '../../src/config/product.js';
import { copyBuilt } from '../support/copy-built.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { describeWithRedis, startRedis, TestRedis } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';
import { SECRET } from '../support/settings.js';

const ADMIN = { email: 'ada@example.com', password: 'correct horse battery staple' };

describeWithRedis('a product of another name, of one line in package.json', () => {
  let copy: string;
  let redis: TestRedis;
  let database: TestDatabase;
  let service: ServiceProcess;
  /** All that the service said, by where it was said. */
  const said = new Map<string, string>();

  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), 'service-rebranded-'));
    copyBuilt(join(copy, 'dist'));
    symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as object;
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, productName: 'Acme Goods' }));
    redis = await startRedis();
    database = await createDatabase();
    service = await ServiceProcess.started(
      {
        NODE_ENV: 'test',
        JWT_SECRET: SECRET,
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        SESSION_STORE: 'redis',
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
      },
      { program: relative(process.cwd(), join(copy, 'dist/src/main.js')) },
    );
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await redis.remove();
    await database.drop();
    rmSync(copy, { recursive: true, force: true });
  });

  /** Asks the service, and remembers what it answered. */
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, init);
    const headers = JSON.stringify([...response.headers]);
    said.set(`${init.method ?? 'GET'} ${path}`, `${headers}\n${await response.clone().text()}`);
    return response;
  }

  const logIn = (password: string): Promise<Response> =>
    ask('/api/v1/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...ADMIN, password }),
    });

  it('signs its tokens, and says whose realm and media types it is', async () => {
    const { accessToken } = (await (await logIn(ADMIN.password)).json()) as { accessToken: string };
    const [, claims = ''] = accessToken.split('.');
    const { iss, aud } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, string>;
    expect([iss, aud]).toEqual(['acme-goods', 'acme-goods-api']);
    const authorization = `Bearer ${accessToken}`;
    const refused = await ask('/api/v1/products');
    expect(refused.headers.get('www-authenticate')).toContain('realm="acme-goods"');
    const vendor = (name: string): Promise<Response> =>
      ask('/api/products', { headers: { authorization, accept: `application/vnd.${name}.v2+json` } });
    expect((await vendor('acme-goods')).status).toBe(200);
    expect((await vendor(PRODUCT.slug)).status).toBe(406);
    const document = (await (await ask('/docs/openapi.json')).json()) as { info: { title: string } };
    expect(document.info.title).toBe('Acme Goods');
    expect(service.output).toContain('Acme Goods serves http');
  });

  it('leaves no trace of the old one in headers, pages, errors, logs, Redis and PostgreSQL', async () => {
    await logIn('a wrong password');
    for (const path of [
      '/',
      '/api',
      '/docs',
      '/docs/v2/openapi.json',
      '/docs/swagger-ui-init.js',
      '/nowhere',
    ])
      await ask(path);
    await ask('/api/v1/products', { headers: { accept: 'text/plain', authorization: 'Basic eDp5' } });
    await ask('/health/ready');
    await ask('/.well-known/jwks.json');
    const client = new Redis(redis.url);
    const keys = await client.keys('*');
    await client.quit();
    expect(keys).toContainEqual(expect.stringMatching(/^acme-goods:session:/));
    expect(keys).toContainEqual(expect.stringMatching(/^acme-goods:count:/));
    const sessions = await database.query<{ name: string }>(
      `select distinct application_name as name from pg_stat_activity
       where datname = current_database() and application_name <> ''`,
    );
    expect(sessions.map(({ name }) => name)).toContain('acme-goods');
    said.set('Redis', JSON.stringify(keys)).set('PostgreSQL', JSON.stringify(sessions));
    said.set('log', service.log).set('output', service.output);
    const old = new RegExp(PRODUCT.slug, 'i');
    expect([...said].filter(([, text]) => old.test(text)).map(([place]) => place)).toEqual([]);
  });
});
