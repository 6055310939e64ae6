import { execFile } from 'node:child_process';
import { copyFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

import { describeWithOwnService } from '../support/needs.js';
import { ServiceProcess } from '../support/service-process.js';

const ADMIN = { email: 'admin@example.com', password: 'a password of the tests' };
const SETTINGS = {
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  NODE_ENV: 'test',
  RATE_LIMIT: '0',
};

interface Ended {
  readonly code: number;
  readonly output: string;
}

function tool(name: 'backup' | 'restore', dataDir: string, ...args: string[]): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATA_DIR: dataDir };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [`dist/tools/backup/${name}.js`, ...args],
      { env },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
      },
    );
  });
}

describeWithOwnService('O4 a backup of the embedded database', () => {
  it('is taken while the service runs, and restored it answers all reads as before', async () => {
    const service = await ServiceProcess.started(SETTINGS);
    const dataDir = service.directory;
    const file = join(dataDir, 'backup.gz');
    const port = service.port;
    const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
      const sent = body
        ? { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
        : { headers };
      return fetch(`http://127.0.0.1:${port}${path}`, { method, ...sent });
    };
    const login = await send('POST', '/api/v1/login', {}, ADMIN);
    const { accessToken } = (await login.json()) as { accessToken: string };
    const cookies = login.headers.getSetCookie().map((cookie) => cookie.split(';')[0] as string);
    const bearer = { authorization: `Bearer ${accessToken}` };
    const session = { cookie: cookies.find((cookie) => cookie.startsWith('session_id=')) as string };
    const made = async (path: string, body: object): Promise<unknown> => {
      const response = await send('POST', path, bearer, body);
      expect([path, response.status]).toEqual([path, 201]);
      return response.json();
    };
    for (const name of ['Lamp', 'Ünïcode "quoted" \\ 🦉', `tab\tand 'quotes'`])
      await made('/api/v1/products', { name, price: 19.99, category: 'Light' });
    await made('/api/v1/products/1/reviews', { rating: 4, comment: 'a\nb' });
    await made('/api/v1/users', { email: 'ada@example.com', password: 'a password of ada', name: 'Ada' });
    await made('/api/v1/users/1/orders', { items: [{ productId: 1, quantity: 3 }] });
    const { key } = (await made('/api/v1/api-keys', { name: 'k', permissions: ['read'] })) as { key: string };
    await made('/api/v1/access-grants', {
      resourceType: 'product',
      resourceId: 2,
      userId: 2,
      permissions: ['read'],
      effect: 'deny',
    });
    await send('PATCH', '/api/v1/products/1', bearer, { price: 20 });

    const reads: [string, Record<string, string>][] = [
      ...[
        'products',
        'products/1',
        'products/2',
        'reviews',
        'users',
        'orders',
        'orders/1',
        'order-items',
        'access-grants',
      ].map((path): [string, Record<string, string>] => [`/api/v1/${path}`, bearer]),
      ['/api/v2/products', { 'x-api-key': key }],
      ['/api/v1/users/me', session],
      ['/api/v1/users/me', { authorization: `Basic ${btoa('ada@example.com:a password of ada')}` }],
    ];
    const answers = (at: number): Promise<unknown[]> =>
      Promise.all(
        reads.map(async ([path, headers]) => {
          const response = await fetch(`http://127.0.0.1:${at}${path}`, { headers });
          return [path, response.status, response.headers.get('etag'), await response.text()];
        }),
      );
    const before = await answers(port);
    for (const [path, status] of before as [string, number][]) expect([path, status]).toEqual([path, 200]);

    const taken = await tool('backup', dataDir, file);
    expect(taken).toEqual({ code: 0, output: expect.stringMatching(/^\d+ rows are in /) });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await tool('backup', dataDir, join(dataDir, 'nowhere', 'backup.gz'))).toEqual({
      code: 1,
      output: expect.stringMatching(/^ENOENT: .*\n$/) as unknown,
    });
    expect(await tool('backup', dataDir, file)).toEqual({
      code: 2,
      output: expect.stringContaining('there already'),
    });
    const inPlace = await tool('restore', dataDir, file);
    expect(inPlace).toEqual({ code: 2, output: expect.stringContaining('move that folder away') });
    service.kill('SIGTERM');
    await service.exited;

    const cut = join(dataDir, 'cut.gz');
    renameSync(join(dataDir, 'database'), join(dataDir, 'lost'));
    rmSync(join(dataDir, 'jwt-secret'));
    copyFileSync(file, cut);
    truncateSync(cut, statSync(file).size - 40);
    expect((await tool('restore', dataDir, cut)).code).toBe(1);
    expect(await tool('restore', dataDir, file)).toEqual({
      code: 0,
      output: expect.stringContaining('rows are restored'),
    });

    const restored = await ServiceProcess.started({ ...SETTINGS, DATA_DIR: dataDir });
    expect(await answers(restored.port)).toEqual(before);
    const next = await fetch(`http://127.0.0.1:${restored.port}/api/v1/products`, {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'next', price: 1, category: 'Light' }),
    });
    expect(next.headers.get('location')).toBe('/api/v1/products/4');
    restored.kill('SIGTERM');
    expect(await restored.exited).toBe(0);
  });
});
