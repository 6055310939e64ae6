/**
 * Runs the end-to-end tests against the built service, as it is started by hand: default settings, embedded database,
 * limits on. The last line counts what passed and failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { ensureBuilt } from '../scripts/lib/build.mjs';
import { ADMIN, startOwnService } from '../scripts/lib/own-service.mjs';
import { inRoot, root } from '../scripts/lib/paths.mjs';

await ensureBuilt();
const { origin, stop } = await startOwnService();
try {
  process.exitCode = await runTests(origin);
} finally {
  await stop();
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
