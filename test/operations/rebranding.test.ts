import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { clientFiles } from '@plinth/client/generator';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { copyBuilt } from '../support/copy-built.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { SECRET } from '../support/settings.js';

const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };
const PATHS = ['/', '/api', '/docs', '/docs/v2/openapi.json', '/docs/swagger-ui-init.js', '/nowhere'];

describe('a product with another name in package.json', () => {
  let copy: string;
  let database: TestDatabase;
  let service: ServiceProcess;

  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), 'service-rebranded-'));
    copyBuilt(join(copy, 'dist'));
    symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as object;
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, productName: 'Acme Goods' }));
    database = await createDatabase();
    service = await ServiceProcess.started(
      { NODE_ENV: 'test', JWT_SECRET: SECRET, DATABASE_URL: database.url, DOCS: 'true', ...ADMIN },
      { program: relative(process.cwd(), join(copy, 'dist/src/main.js')) },
    );
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await database.drop();
    rmSync(copy, { recursive: true, force: true });
  });

  it('uses the new name in tokens, headers, media types and documents, without a trace of the old one', async () => {
    const said = new Map<string, string>();
    const ask = async (path: string, headers: Record<string, string> = {}, body?: object) => {
      const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      said.set(path, `${JSON.stringify([...response.headers])}\n${await response.clone().text()}`);
      return response;
    };
    const login = await ask('/login', {}, { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD });
    const { accessToken } = (await login.json()) as { accessToken: string };
    const claims = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
    expect(JSON.parse(claims)).toMatchObject({ iss: 'acme-goods', aud: 'acme-goods-api' });
    const refused = await ask('/api/v1/products');
    expect(refused.headers.get('www-authenticate')).toContain('realm="acme-goods"');
    const accept = (name: string) => `application/vnd.${name}.v2+json`;
    const authorization = `Bearer ${accessToken}`;
    const vendor = await ask('/api/products', { authorization, accept: accept('acme-goods') });
    expect(vendor.status).toBe(200);
    const document = (await (await ask('/docs/openapi.json')).json()) as { info: { title: string } };
    expect(document.info.title).toBe('Acme Goods');
    const client = clientFiles(document);
    const manifest = { name: 'acme-goods-client', version: PRODUCT.version };
    expect(JSON.parse(client.get('package.json') ?? '')).toMatchObject(manifest);
    const renamed = JSON.stringify({ name: '@acme/shop', version: '0', dependencies: { other: '1' } });
    const { name, version, dependencies } = JSON.parse(
      clientFiles(document, { manifest: renamed }).get('package.json') ?? '',
    ) as { name: string; version: string; dependencies: Record<string, string> };
    expect([name, version]).toEqual(['@acme/shop', PRODUCT.version]);
    expect(Object.keys(dependencies)).toEqual(['other', '@plinth/client']);
    // The runtime and its command keep their names.
    for (const [path, text] of client)
      said.set(path, text.replaceAll(/@plinth\/client|`plinth client`/g, ''));
    expect(service.output).toContain('Acme Goods serves http');
    for (const path of PATHS) await ask(path);
    const sessions = await database.query(
      'select application_name from pg_stat_activity where datname = current_database()',
    );
    expect(sessions).toContainEqual({ application_name: 'acme-goods' });
    said.set('log', service.log).set('output', service.output);
    const old = new RegExp(PRODUCT.slug, 'i');
    expect([...said].filter(([, text]) => old.test(text)).map(([place]) => place)).toEqual([]);
  });
});

describe('the product of a program', () => {
  const product = pathToFileURL(join(process.cwd(), 'packages/core/dist/config/product.js')).href;
  const code = `import { PRODUCT } from '${product}'; process.stdout.write(PRODUCT.name);`;
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'service-product-'));
    for (const path of ['dist', 'node_modules/tool']) mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'acme-goods', version: '1.2.3' }));
    writeFileSync(join(folder, 'node_modules/tool/package.json'), JSON.stringify({ name: 'tool' }));
    writeFileSync(join(folder, 'dist/package.json'), JSON.stringify({ type: 'module' }));
    for (const path of ['dist/main.mjs', 'node_modules/tool/main.mjs'])
      writeFileSync(join(folder, path), code);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const nameFrom = (program: string, cwd: string): string =>
    execFileSync(process.execPath, [program], { cwd, encoding: 'utf8' });

  it('is that of the application, whatever the location of the base and the current folder are', () => {
    expect(nameFrom(join(folder, 'dist/main.mjs'), tmpdir())).toBe('acme-goods');
  });
  it('is that of the current folder for the program of a tool', () => {
    expect(nameFrom(join(folder, 'node_modules/tool/main.mjs'), folder)).toBe('acme-goods');
    expect(nameFrom(join(folder, 'node_modules/tool/main.mjs'), process.cwd())).toBe(PRODUCT.name);
  });
});
