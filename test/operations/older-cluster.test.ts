import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { removeEmbeddedDatabase } from '../../packages/embedded-postgres-server/remove-embedded-database.js';
import { hasDebianPostgres } from '../support/debian-postgres.js';
import { describeWithOwnService, skipping } from '../support/needs.js';
import { OlderRelease } from '../support/older-release.js';
import { ServiceProcess } from '../support/service-process.js';

const ADMIN = { email: 'admin@example.com', password: 'a password of the tests' };

/** Runs a compiled program to its end. */
function run(program: string, dataDir: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const { PATH = '', HOME = '' } = process.env;
  const options = { env: { PATH, HOME, DATA_DIR: dataDir } };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

/** Signs in, and reads a product. @returns its answer, and the token */
async function read({ port }: ServiceProcess, known?: string): Promise<{ token: string; answer: unknown }> {
  const base = `http://127.0.0.1:${port}/api/v1`;
  const headers = { 'content-type': 'application/json' };
  const signIn = async (): Promise<string> => {
    const login = await fetch(`${base}/login`, { method: 'POST', headers, body: JSON.stringify(ADMIN) });
    return ((await login.json()) as { accessToken: string }).accessToken;
  };
  const token = known ?? (await signIn());
  const authorized = { ...headers, authorization: `Bearer ${token}` };
  const body = JSON.stringify({ name: 'Ünïcode lamp', price: 19.99, category: 'Light' });
  if (!known) await fetch(`${base}/products`, { method: 'POST', headers: authorized, body });
  const product = await fetch(`${base}/products/1`, { headers: authorized });
  return { token, answer: [product.status, product.headers.get('etag'), await product.json()] };
}

const describeWithPostgres15 = hasDebianPostgres
  ? describeWithOwnService
  : skipping(describe, "needs Debian's PostgreSQL 15");

describeWithPostgres15('(issue 11) an embedded database that PostgreSQL 15 has made', () => {
  let older: OlderRelease;
  let dataDir: string;
  beforeAll(() => {
    older = new OlderRelease();
    dataDir = mkdtempSync(join(tmpdir(), 'older-cluster-'));
    older.makeCluster(join(dataDir, 'database'), 'a-password-of-the-tests');
  });
  afterAll(async () => {
    for (const name of ['database', 'older']) await removeEmbeddedDatabase(join(dataDir, name));
    rmSync(dataDir, { recursive: true, force: true });
    older.remove();
  });

  it('is refused and left as it is; a backup by the release that made it is restored into the new version', async () => {
    const settings = {
      NODE_ENV: 'test',
      DATA_DIR: dataDir,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    };
    const before = await ServiceProcess.started(settings, { program: older.program('src/main.js') });
    const { token, answer } = await read(before);
    expect(answer).toMatchObject([200, expect.any(String), { name: 'Ünïcode lamp' }]);
    before.kill('SIGTERM');
    expect(await before.exited).toBe(0);

    const refused = new ServiceProcess(settings);
    expect(await refused.exited).toBe(1);
    expect(refused.output).toMatch(
      /made by PostgreSQL 15 and \d+ is installed: take a backup of it by the rele/,
    );
    expect(readFileSync(join(dataDir, 'database/cluster/PG_VERSION'), 'utf8')).toBe('15\n');

    const file = join(dataDir, 'backup.gz');
    const taken = await run(older.program('tools/backup/backup.js'), dataDir, file);
    expect(taken).toEqual({ code: 0, output: expect.stringContaining('rows are in') as unknown });
    renameSync(join(dataDir, 'database'), join(dataDir, 'older'));
    const restored = await run('dist/tools/backup/restore.js', dataDir, file);
    expect(restored).toEqual({ code: 0, output: expect.stringContaining('rows are restored') as unknown });

    const after = await ServiceProcess.started(settings);
    expect(await read(after, token)).toEqual({ token, answer });
    expect(readFileSync(join(dataDir, 'database/cluster/PG_VERSION'), 'utf8')).not.toBe('15\n');
    after.kill('SIGTERM');
    expect(await after.exited).toBe(0);
  });
});
