import { readFileSync } from 'node:fs';

import { startApp, TestApp } from '../support/app.js';

const open = (app: TestApp, path: string): Promise<Response> =>
  fetch(app.baseUrl + path, { redirect: 'manual' });

/** The responses that a browser loads first: the page, its links, and a document. Also returns their size. */
async function loadPage(app: TestApp, path: string, document: string, coding: string) {
  const load = async (url: string): Promise<Response> => {
    const response = await fetch(app.baseUrl + url, { headers: { 'accept-encoding': coding } });
    expect([url, response.status]).toEqual([url, 200]);
    return response;
  };
  const page = await load(path);
  const links = [...(await page.text()).matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(
    ([, link = '']) => new URL(link, app.baseUrl + path),
  );
  const files = await Promise.all(links.map(({ pathname, search }) => load(pathname + search)));
  const all = [page, ...files, await load(document)];
  const bytes = all.reduce((sum, { headers }) => sum + Number(headers.get('content-length')), 0);
  return { files, bytes };
}

describe('the OpenAPI document', () => {
  it('is the same for other settings, so that tests can check all services against one document', async () => {
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
      [one, other].map(async (app) =>
        (await (await open(app, '/docs/openapi.json')).text()).replaceAll(
          app.baseUrl,
          'https://here.example',
        ),
      ),
    );
    await other.stop();
    expect(documents[1]).toBe(documents[0]);
  });

  it.each(['/docs/openapi.json', '/docs/openapi.yaml', '/reference/v1.json'])(
    'is not sent again if the client has it: %s',
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

  it.each(['br', 'gzip'])(
    'have at most 570 KB, compressed by %s, and are cached by browsers',
    async (coding) => {
      const { files, bytes } = await loadPage(app, '/docs', '/docs/v1/openapi.json', coding);
      expect(bytes).toBeLessThan(570 * 1024);
      const large = files.filter(({ headers }) => Number(headers.get('content-length')) > 10_000);
      expect(large.map(({ headers }) => headers.get('content-encoding'))).toEqual([coding, coding, coding]);
      for (const { headers } of large) {
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(headers.get('vary')).toMatch(/Accept-Encoding$/);
      }
    },
  );

  it('are revalidated unless their URL contains a version, and sent uncompressed to clients without compression', async () => {
    const plain = await fetch(`${app.baseUrl}/docs/swagger-ui.css`, {
      headers: { 'accept-encoding': 'br;q=0, identity' },
    });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('cache-control')).toBe('public, no-cache');
    const coded = await open(app, '/docs/swagger-ui.css');
    expect(coded.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    expect(await coded.text()).toBe(await plain.text());
  });
});

describe('the reference', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.stop());

  it('loads only files of this service, less than 1 MB in total', async () => {
    const { files, bytes } = await loadPage(app, '/reference/', '/reference/v1.json', 'br');
    expect(files.map(({ url }) => new URL(url).pathname)).toEqual(['/reference/js/standalone.js']);
    expect(bytes).toBeLessThan(1_000_000);
    const page = await (await open(app, '/reference/')).text();
    const documents = [...page.matchAll(/"url": "([^"]+)"/g)].map(([, path]) => path);
    expect(documents).toEqual(['/reference/v1.json', '/reference/v2.json']);
  });

  it('lists every code of the catalogue with its cause in its guides', async () => {
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
  ])('answers %s with 404 in the envelope of errors', async (path) => {
    const response = await open(app, path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'ROUTE_NOT_FOUND', status: 404 } });
  });

  it('does not affect the API', async () => {
    expect((await open(app, '/api/v1/products')).status).toBe(401);
  });
});
