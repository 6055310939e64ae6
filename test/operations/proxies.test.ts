import { ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '@plinth/dev/testing';

import { freePort } from '../../scripts/lib/free-port.mjs';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { linksOf } from '../support/lists.js';
import { ServiceProcess } from '../support/service-process.js';

/**
 * The size of headers that stock proxies and clients read: `proxy_buffer_size` of nginx on pages of 4 KiB.
 */
const HEADER_BYTES = 4096;
const QUERY_BYTES = 6 * 1024;
const ORIGIN = 'https://shop.example.com';
const CATEGORY = 'behind proxies';

interface Page {
  readonly data: readonly { readonly id: number }[];
  readonly pagination: { readonly nextCursor?: string | null };
}

/** Sets only where each proxy listens and where it sends requests. All other settings are the defaults. */
const CONFIGURATIONS = {
  nginx: (port: number, target: string, folder: string): string => `
    daemon off; pid ${folder}/pid; error_log stderr; events {}
    http {
      access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://${target}; } }
    }`,
  haproxy: (port: number, target: string): string => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend front
  bind 127.0.0.1:${port}
  default_backend service
backend service
  server one ${target}
`,
};
type Proxy = keyof typeof CONFIGURATIONS;

const ARGUMENTS: Readonly<Record<Proxy, readonly string[]>> = {
  nginx: ['-e', 'stderr', '-c'],
  haproxy: ['-db', '-f'],
};

/**
 * Queries of every length up to the maximum, with values that are long, many, or longer when they are
 * encoded.
 */
function* queries(): Generator<string> {
  const categories: Readonly<Record<string, (i: number, left: number) => string>> = {
    'many values': (i) => `value number ${i} ${'x'.repeat(30)}`,
    'long values': (i, left) => `${i}${'x'.repeat(Math.min(95, Math.max(left - 20, 1)))}`,
    'values that are sent encoded': (i) => `${i}${'🪔'.repeat(40)}`,
    'values that links encode': (i) => `${i}${':;,@!$()*'.repeat(9)}`,
  };
  const sorts = [
    '',
    'id:asc',
    'name:asc',
    'name:desc,price:asc,rating:asc,createdAt:asc',
    'relevance:desc,name:asc',
  ];
  let turn = 0;
  for (const [kind, valueOf] of Object.entries(categories))
    for (let size = 300; size <= QUERY_BYTES; size += 487) {
      const encode = kind.endsWith('links encode') ? (text: string): string => text : encodeURIComponent;
      const sort = sorts[turn++ % sorts.length] ?? '';
      const parts = [`limit=2&category=${encodeURIComponent(CATEGORY)}`, ...(sort && [`sort=${sort}`])];
      if (sort.startsWith('relevance') || turn % 3 === 0) parts.push(`q=${'%F0%9F%AA%94+'.repeat(20)}`);
      if (turn % 2 === 0)
        parts.push('createdFrom=2020-01-01T00:00:00.123456789%2B23:59&minPrice=0&maxPrice=9999999999.99');
      for (let i = 0; i < 99; i++) {
        const next = `category=${encode(valueOf(i, size - parts.join('&').length))}`;
        if (parts.join('&').length + next.length > size - 30) break;
        parts.push(next);
      }
      yield parts.join('&');
    }
  const values = [...Array.from({ length: 5 }, () => '🪔'.repeat(90)), ...'abc'].map((value) =>
    value.padEnd(90, 'x'),
  );
  const start = [CATEGORY, ...values].map((value) => `category=${encodeURIComponent(value)}&`).join('');
  // The longest query that a list accepts.
  yield `${start}limit=`.padEnd(QUERY_BYTES - '&cursor='.length - 1, '0') + '2';
}

describe('a list whose query is as long as the service accepts', () => {
  let database: TestDatabase;
  let service: ServiceProcess;

  beforeAll(async () => {
    database = await createDatabase();
    await database.query(
      `insert into products (name, price, category) select repeat('🪔 ', 98) || n, n, $1 from generate_series(1, 7) n`,
      [CATEGORY],
    );
    service = await ServiceProcess.started({
      DATABASE_URL: database.url,
      JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
      ANONYMOUS_ROLE: 'viewer',
      RATE_LIMIT: '0',
      // Each of these settings adds headers.
      CORS_ORIGINS: ORIGIN,
      API_V1_DEPRECATED_AT: '2026-01-01T00:00:00Z',
      API_V1_SUNSET_AT: '2126-01-01T00:00:00Z',
    });
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await database.drop();
  });

  /** Reads two pages in each style of paging. The first response determines the second request. */
  async function read(base: string, query: string): Promise<void> {
    const get = async (target: string): Promise<{ page: Page; headers: Headers }> => {
      const response = await fetch(new URL(target, base), { headers: { origin: ORIGIN } });
      const text = await response.text();
      if (response.status !== 200)
        throw new Error(`${response.status} for ${target.slice(0, 300)}: ${text.slice(0, 300)}`);
      const size = [...response.headers].reduce(
        (sum, [name, value]) => sum + name.length + value.length + 4,
        0,
      );
      expect(size).toBeLessThan(HEADER_BYTES);
      return { page: JSON.parse(text) as Page, headers: response.headers };
    };
    const path = `/api/v1/products?${query}`;
    for (const [style, nextOf] of [
      ['page=1', () => 'page=2'],
      ['cursor=', ({ pagination }: Page) => `cursor=${pagination.nextCursor}`],
    ] as const) {
      const first = await get(`${path}&${style}`);
      const second = await get(`${path}&${nextOf(first.page)}`);
      expect([first.page.data.length, second.page.data.length]).toEqual([2, 2]);
      const { next } = linksOf(first.headers);
      if (next !== undefined) expect((await get(next)).page.data).toEqual(second.page.data);
      // Short queries leave room for the link.
      if (path.length < 500) expect(next).toBeDefined();
    }
  }

  it("is read page by page with Node's fetch", async () => {
    for (const query of queries()) await read(`http://127.0.0.1:${service.port}`, query);
  });

  it('is refused with 414 if no cursor would fit, so that no proxy cuts a walk short', async () => {
    const query = `category=${'%F0%9F%AA%94'.repeat(90)}&`.repeat(6);
    const response = await fetch(`http://127.0.0.1:${service.port}/api/v1/products?${query}`);
    expect(response.status).toBe(414);
  });

  it('has no link to its successor that is longer than a proxy reads, even in an error', async () => {
    const target = `http://127.0.0.1:${service.port}/api/v1/products?x=${'y'.repeat(7_000)}`;
    const response = await fetch(target);
    expect([response.status, response.headers.get('link')]).toEqual([400, null]);
  });

  describe.each(Object.keys(CONFIGURATIONS) as Proxy[])('behind a stock %s', (name) => {
    // Skipped without the proxy (Debian: `apt-get install nginx haproxy`). CI installs both.
    const isInstalled = spawnSync(name, ['-v']).status === 0;
    let proxy: ChildProcess;
    let folder: string;
    let base: string;
    let said = '';

    beforeAll(async () => {
      if (!isInstalled) return;
      folder = mkdtempSync(join(tmpdir(), 'service-proxy-'));
      const port = await freePort();
      const file = join(folder, 'configuration');
      writeFileSync(file, CONFIGURATIONS[name](port, `127.0.0.1:${service.port}`, folder));
      proxy = spawn(name, [...ARGUMENTS[name], file], { stdio: ['ignore', 'ignore', 'pipe'] });
      proxy.stderr?.on('data', (data) => (said += String(data)));
      base = `http://127.0.0.1:${port}`;
      const status = (): Promise<unknown> =>
        fetch(`${base}/health/live`).then(
          (response) => response.status,
          (error: unknown) => `${String(error)} ${said}`,
        );
      await eventually(status, 200, 30_000);
    });
    afterAll(async () => {
      if (!isInstalled) return;
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
      rmSync(folder, { recursive: true, force: true });
    });

    (isInstalled ? it : it.skip)('is read page by page', async () => {
      for (const query of queries()) await read(base, query);
    });
  });
});
