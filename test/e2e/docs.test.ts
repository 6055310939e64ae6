import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

import { startApp, TestApp } from '../support/app.js';

const open = (app: TestApp, path: string): Promise<Response> =>
  fetch(app.baseUrl + path, { redirect: 'manual' });

describe('the OpenAPI document', () => {
  it('is the same with other settings: tests hold services with settings of their own to the document of another', async () => {
    const settings = {
      DOCS: 'true',
      RATE_LIMIT: '7',
      LOGIN_RATE_LIMIT: '3',
      API_V1_DEPRECATED_AT: '2026-01-01T00:00:00Z',
      API_V1_SUNSET_AT: '2100-01-01T00:00:00Z',
      CORS_ORIGINS: 'https://shop.example',
      TRUST_PROXY: '1',
      ANONYMOUS_ROLE: 'viewer',
      SESSION_TTL: '60',
    };
    const [one, other] = [await startApp(), await startApp(settings)];
    const documents = await Promise.all(
      [one, other].map(async (app) => (await open(app, '/docs/openapi.json')).text()),
    );
    await other.stop();
    expect(documents[1]).toBe(documents[0]);
  });

  it.each(['/docs/openapi.json', '/docs/openapi.yaml', '/reference/v1.json'])(
    'is not sent again: %s',
    async (path) => {
      const app = await startApp();
      const first = await open(app, path);
      const etag = first.headers.get('etag') ?? '';
      const again = await fetch(app.baseUrl + path, { headers: { 'if-none-match': etag } });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.get('cache-control')).toBe('public, no-cache');
      await app.stop();
    },
  );
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
});

describe('the reference', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.stop());

  it('loads nothing but what is served here, under 2 MB in all', async () => {
    let bytes = 0;
    const load = async (path: string): Promise<string> => {
      const response = await fetch(app.baseUrl + path, { headers: { 'accept-encoding': 'br' } });
      expect([path, response.status]).toEqual([path, 200]);
      const body = Buffer.from(await response.arrayBuffer());
      bytes += brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;
      return body.toString();
    };
    const page = await load('/reference/');
    const scripts = [...page.matchAll(/ src="([^"]+)"/g)].map(([, path = '']) => path);
    expect(scripts).toEqual(['js/scalar.js']);
    await load('/reference/js/scalar.js');
    const documents = [...page.matchAll(/"url": "([^"]+)"/g)].map(([, path = '']) => path);
    expect(documents).toEqual(['/reference/v1.json', '/reference/v2.json']);
    await Promise.all(documents.map(load));
    expect(bytes).toBeLessThan(2_000_000);
  });

  it('has every code of the catalogue among its guides, with its cause', async () => {
    const response = await fetch(`${app.baseUrl}/reference/v1.json`);
    const { info } = (await response.json()) as { info: { description: string } };
    const rows = ['packages/core/docs/errors.md', 'docs/errors.md'].flatMap((page) => [
      ...readFileSync(page, 'utf8').matchAll(/^\| `([A-Z_]+)` +\| \d{3} +\| (.+?) +\|/gm),
    ]);
    const missing = rows
      .filter(
        ([, code, cause]) =>
          !info.description.includes(`\n## ${code}\n\n`) || !info.description.includes(cause!),
      )
      .map(([, code]) => code);
    expect(missing).toEqual([]);
    expect(info.description).not.toMatch(/\{\{|undefined/);
    for (const title of [
      'Getting started',
      'Errors',
      'Idempotency',
      'Versions',
      'Limits',
      'The TypeScript client',
    ])
      expect(info.description).toContain(`# ${title}\n`);
  });
});

describe('DOCS=false', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ DOCS: 'false' });
  });
  afterAll(() => app.stop());

  it.each([
    '/docs',
    '/docs/',
    '/docs/openapi.json',
    '/docs/openapi.yaml',
    '/docs/v1/openapi.json',
    '/reference',
    '/reference/v1.json',
    '/reference/js/scalar.js',
  ])('%s is 404 in the envelope', async (path) => {
    const response = await open(app, path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'ROUTE_NOT_FOUND', status: 404 } });
  });

  it('leaves the API as it is', async () => {
    expect((await open(app, '/api/v1/products')).status).toBe(401);
  });
});
