/**
 * Runs the end-to-end tests against the built service, as it is started by hand: default settings, embedded database,
 * limits on. The last line counts what passed and failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { ensureBuilt, MAIN } from '../scripts/lib/build.mjs';
import { inRoot, root } from '../scripts/lib/paths.mjs';

const ADMIN = { email: 'admin@example.com', password: 'only for this check' };

await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'service-e2e-'));
const service = spawn(process.execPath, [MAIN], {
  cwd: folder,
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'inherit', 'pipe'],
});
const exited = once(service, 'exit');
process.once('SIGTERM', () => service.kill('SIGTERM'));
try {
  process.exitCode = await runTests(await baseUrlOf(service));
} finally {
  service.kill('SIGTERM');
  await exited;
  const { removeEmbeddedDatabase } =
    await import('../dist/packages/embedded-postgres-server/remove-embedded-database.js');
  await removeEmbeddedDatabase(join(folder, 'data/database'));
  rmSync(folder, { recursive: true, force: true });
}

async function baseUrlOf({ stderr }) {
  for await (const line of createInterface(stderr)) {
    const url = / serves (http.*)\/api\/v1$/.exec(line)?.[1];
    if (!url) continue;
    stderr.resume();
    return url;
  }
  throw new Error('the service did not start');
}

async function runTests(baseUrl) {
  const env = {
    ...process.env,
    E2E_BASE_URL: baseUrl,
    E2E_ADMIN_EMAIL: ADMIN.email,
    E2E_ADMIN_PASSWORD: ADMIN.password,
  };
  const tests = spawn(process.execPath, [inRoot('scripts/test-e2e.mjs'), '--silent'], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  const [code] = await once(tests, 'exit');
  return code ?? 1;
}
