import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { codeBlocks } from '../support/code-blocks.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { startService } from '../support/hosts.js';
import { DEFAULTS } from '../support/settings.js';
import { createUser } from '../support/users.js';

/** Reports the status of every request, in addition to what a reader sees. */
const CURL = `curl() { command curl --write-out '%{stderr}STATUS %{http_code}\\n' "$@"; }`;

/** Runs a script in one shell, as a reader would. Returns its output and the statuses of its requests. */
async function run(script: string): Promise<{ output: string; statuses: number[] }> {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', `${CURL}\n${script}`]);
  let output = '';
  let errors = '';
  shell.stdout.on('data', (data) => (output += String(data)));
  shell.stderr.on('data', (data) => (errors += String(data)));
  const [code] = (await once(shell, 'close')) as [number];
  if (code !== 0) throw new Error(`the script ended with ${code}: ${errors}${output}`);
  return { output, statuses: [...errors.matchAll(/^STATUS (\d+)$/gm)].map(([, status]) => Number(status)) };
}

describe('the tour of the README', () => {
  let database: TestDatabase;
  let service: Awaited<ReturnType<typeof startService>>;
  let password: string;
  beforeAll(async () => {
    database = await createDatabase();
    const { JWT_SECRET = '', DATA_DIR = '' } = DEFAULTS;
    service = await startService({ NODE_ENV: 'test', DATABASE_URL: database.url, JWT_SECRET, DATA_DIR });
    // The administrator whom the first start creates. test/operations/starting.test.ts tests that.
    const email = `admin@${PRODUCT.emailDomain}`;
    const first = { email, canonical_email: email };
    ({ password } = await createUser((...sql) => database.query(...sql), 'admin', undefined, first));
    // As with the demo data, the product that the reader creates is not the first one.
    await database.query(`select setval(pg_get_serial_sequence('products', 'id'), 100)`);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it('works as described', async () => {
    const script = codeBlocks('README.md')
      .filter(({ language }) => language === 'sh')
      .map(({ code }) => code)
      .join('\n')
      .replace('http://127.0.0.1:3000', service.url)
      .replace('what npm start printed', password);
    const { output, statuses } = await run(script);
    const login = [200];
    const create = [201];
    const lists = [200, 200];
    const searches = [200, 200, 200];
    const revalidate = [200, 304];
    const change = [200, 412];
    const faults = [422];
    const credentials = [201, 200, 200];
    const version2 = [200];
    expect(statuses).toEqual(
      [login, create, lists, searches, revalidate, change, faults, credentials, version2].flat(),
    );
    expect(output).toMatch(/location: \/api\/v1\/products\/101\r?\n/);
    expect(output).toContain('"code":"PRECONDITION_FAILED"');
    expect(output).toContain('"nextCursor":');
    expect(output).toContain('"inStock":[{"value":true,"count":1}]');
    expect(output).toMatch(/^101,Walnut desk lamp,49\.9,/m);
    expect(output).toContain('"currency":"USD"');
  });
});
