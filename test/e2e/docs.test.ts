import { startApp, TestApp } from '../support/app.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { describeWithOwnService } from '../support/needs.js';
import { exchange, expectError, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';

const open = (app: TestApp, path: string): Promise<Response> =>
  fetch(app.baseUrl + path, { redirect: 'manual' });

describe('N2 addresses that people open in a browser', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.stop());

  it.each(['/', '/api', '/api/v1', '/api/v2'])('%s leads to the docs', async (path) => {
    const response = await open(app, path);
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
  });

  it.each(['/api/v3', '/api/v1/', '/index.html', '/api/v1/nothing'])(
    '%s is still not found',
    async (path) => {
      const response = await open(app, path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'ROUTE_NOT_FOUND', status: 404 } });
    },
  );

  it('takes no other method than GET and HEAD there', async () => {
    const response = await fetch(`${app.baseUrl}/api/v1`, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('the files of the docs page', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.stop());

  it('are there, all that the page loads', async () => {
    const page = await (await open(app, '/docs')).text();
    const links = [...page.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      const { pathname } = new URL(link, `${app.baseUrl}/docs`);
      expect([pathname, (await open(app, pathname)).status]).toEqual([pathname, 200]);
    }
  });

  it.each([
    'package.json',
    'package%2Ejson',
    'README.md',
    'swagger-ui-bundle.js.map',
    'swagger-ui-es-bundle.js',
    'index.js',
    'oauth2-redirect.html',
    'absolute-path.js',
    '/package.json',
    './package.json',
    'nothing/../package.json',
  ])('are no others of the package: /docs/%s', async (file) => {
    const { answer } = await exchange(app, wire(`GET /docs/${file}`));
    expectError(answer, 404, 'ROUTE_NOT_FOUND');
  });
});

describeWithOwnService('O2 DOCS=false', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${service.port}${path}`);

  beforeAll(async () => {
    database = await createDatabase();
    service = await ServiceProcess.started({ DATABASE_URL: database.url, DOCS: 'false' });
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await database.drop();
  });

  it.each([
    '/',
    '/api/v1',
    '/docs',
    '/docs/',
    '/docs/openapi.json',
    '/docs/openapi.yaml',
    '/docs/v1/openapi.json',
    '/reference',
  ])('%s is 404 in the envelope', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'ROUTE_NOT_FOUND', status: 404 } });
  });

  it('leaves the API as it is, and announces no docs', async () => {
    expect((await get('/api/v1/products')).status).toBe(401);
    expect(service.output).not.toContain('Docs');
  });
});
