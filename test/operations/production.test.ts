import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { dirname, join } from 'node:path';

import { eventually } from '@plinth/dev/testing';

import { freePort } from '../../scripts/lib/free-port.mjs';
import { createCertificate } from '../support/certificate.js';
import { copyBuilt } from '../support/copy-built.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { SECRET } from '../support/settings.js';

const ADMIN = { email: 'admin@example.com', password: 'a password of the tests' };
const MAX_MEGABYTES = 90;
/** Hard links require one file system. */
const image = join(process.cwd(), `node_modules/.cache/image-${process.pid}`);
const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', '');

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  rmSync(image, { recursive: true, force: true });
  await database.drop();
});

const settings = (): Record<string, string> => ({
  NODE_ENV: 'production',
  MAIL: 'off',
  DOCS: 'true',
  DATABASE_URL: database.url,
  JWT_SECRET: SECRET,
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  TRUST_PROXY: '127.0.0.1',
  RATE_LIMIT: '0',
  SHUTDOWN_DELAY_MS: '2000',
});

function megabytesOf(folder: string): number {
  const bytes = (path: string): number =>
    readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
      const inner = join(path, entry.name);
      return sum + (entry.isDirectory() ? bytes(inner) : lstatSync(inner).size);
    }, 0);
  return bytes(folder) / 1e6;
}

// Runs the stages of the image by hand.
beforeAll(() => {
  const [, stage = ''] = /AS packages\n(.*?)\nFROM/s.exec(dockerfile) ?? [];
  const copied = [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  for (const path of copied) cpSync(path, join(image, path));
  const [, install = ''] = /^RUN (npm ci --omit=dev .*)$/m.exec(stage) ?? [];
  const { status, stderr } = spawnSync('sh', ['-c', `${install} --prefer-offline`], { cwd: image });
  expect({ status, stderr: String(stderr) }).toMatchObject({ status: 0 });
  copyBuilt(join(image, 'dist'));
  cpSync('packages/core/dist', join(image, 'packages/core/dist'), { recursive: true });
  // The image is built without this folder.
  expect(dockerfile).not.toMatch(/^COPY .*seed/m);
  rmSync(join(image, 'dist/seed'), { recursive: true });
  const [, prune = ''] = /^RUN (rm -rf (?:.*\\\n)*.*)$/m.exec(dockerfile) ?? [];
  expect(String(spawnSync('sh', ['-c', prune], { cwd: image }).stderr)).toBe('');
});

/** The service of the image, which several tests share. */
let running: ServiceProcess | undefined;
const start = async (): Promise<ServiceProcess> =>
  (running ??= await ServiceProcess.started(settings(), {
    program: image.replace(process.cwd(), '.') + '/dist/src/main.js',
  }));

describe('the image, its stages run by hand', () => {
  it('has less than 90 MB of packages, their licences, and no compiler', () => {
    expect(megabytesOf(join(image, 'node_modules'))).toBeLessThan(MAX_MEGABYTES);
    const ofDevelopment = ['typescript', 'jest', 'oxlint', '@swc/core', '@plinth/dev'];
    expect(ofDevelopment.filter((name) => existsSync(join(image, 'node_modules', name)))).toEqual([]);
    expect(existsSync(join(image, 'node_modules/fastify/LICENSE'))).toBe(true);
    expect(existsSync('node_modules/typescript/lib/typescript.js')).toBe(true);
  });

  it('copies only files that exist and that .dockerignore allows, and runs as another user than root', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );
    const passed = readFileSync('.dockerignore', 'utf8').split('\n');
    expect(copied.length).toBeGreaterThan(8);
    for (const path of copied) {
      expect([path, existsSync(path)]).toEqual([path, true]);
      expect(passed).toContain(`!${path.split('/')[0] ?? ''}`);
    }
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  it('starts, answers over TLS only through its proxy, serves the docs, checks its health, and migrates', async () => {
    const service = await start();
    const get = (path: string, headers = {}): Promise<Response> =>
      fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
    const overTls = { 'x-forwarded-proto': 'https' };
    expect((await get('/health/ready')).status).toBe(200);
    expect((await get('/api/v1/products')).status).toBe(403);
    expect((await get('/api/v1/products', overTls)).status).toBe(401);
    for (const path of ['/docs', '/docs/openapi.json', '/docs/swagger-ui-bundle.js'])
      expect([path, (await get(path, overTls)).status]).toEqual([path, 200]);
    const [, health = ''] = /^HEALTHCHECK .*? CMD (\[.*\])$/m.exec(dockerfile) ?? [];
    const [, ...args] = JSON.parse(health) as string[];
    const checkOn = (port: number): number | null =>
      spawnSync(process.execPath, args, { env: { PORT: String(port) } }).status;
    expect([checkOn(service.port), checkOn(await freePort())]).toEqual([0, 1]);
    const { status, stdout } = spawnSync(process.execPath, ['dist/src/migrate.js'], {
      cwd: image,
      env: { NODE_ENV: 'production', DATABASE_URL: database.url },
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, 'No pending migrations.\n']);
  });
});

// Skipped without `haproxy` (Debian: `apt-get install haproxy`). CI installs it.
const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;
const describeBehindHaproxy = hasHaproxy ? describe : describe.skip;

describeBehindHaproxy('two instances behind the HAProxy of deploy/', () => {
  it('serve HTTPS, and redirect plain HTTP to it', async () => {
    const certificate = createCertificate();
    const pem = join(dirname(certificate.certFile), 'both.pem');
    writeFileSync(pem, Buffer.concat([readFileSync(certificate.keyFile), certificate.cert]));
    const [https, http] = await Promise.all([freePort(), freePort()]);
    const first = await start();
    // One of the two instances runs several workers on an external database.
    const second = await ServiceProcess.started({ ...settings(), WORKERS: '2' });
    const haproxy = spawn('haproxy', ['-db', '-f', 'deploy/haproxy'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        INSTANCE_1: `127.0.0.1:${first.port}`,
        INSTANCE_2: `127.0.0.1:${second.port}`,
        HTTPS_BIND: `127.0.0.1:${https}`,
        HTTP_BIND: `127.0.0.1:${http}`,
        HTTPS_PORT: String(https),
        CERTIFICATE: pem,
      },
    });
    let said = '';
    haproxy.stderr.on('data', (data) => (said += String(data)));
    const agent = new Agent({ keepAlive: true, ca: certificate.cert });
    const get = (path: string, headers = {}): Promise<{ status: number | string; hsts: unknown }> =>
      new Promise((resolve) => {
        const sent = request({ host: '127.0.0.1', port: https, path, agent, headers }, (response) => {
          response.resume();
          response.on('end', () => {
            resolve({
              status: response.statusCode ?? 0,
              hsts: response.headers['strict-transport-security'],
            });
          });
        });
        sent.on('error', (error) => {
          resolve({ status: error.message, hsts: undefined });
        });
        sent.end();
      });
    try {
      const reachable = eventually(async () => (await get('/health/ready')).status, 200, 30_000);
      await reachable.catch((error: unknown) => {
        throw new Error(`${String(error)}: ${said}`);
      });
      const authorization = `Basic ${Buffer.from(`${ADMIN.email}:${ADMIN.password}`).toString('base64')}`;
      const answer = await get('/api/v1/products', { 'x-forwarded-proto': 'http', authorization });
      expect(answer).toEqual({ status: 200, hsts: 'max-age=31536000' });
      const plain = await fetch(`http://127.0.0.1:${http}/api/v1/products?limit=1`, { redirect: 'manual' });
      const location = `https://127.0.0.1:${https}/api/v1/products?limit=1`;
      expect([plain.status, plain.headers.get('location')]).toEqual([308, location]);
    } finally {
      agent.destroy();
      haproxy.kill('SIGTERM');
      certificate.remove();
      second.kill('SIGKILL');
    }
  });
});

it('the service of the image ends with 0 on SIGTERM', async () => {
  const service = await start();
  running = undefined;
  service.kill('SIGTERM');
  expect(await service.exited).toBe(0);
});
