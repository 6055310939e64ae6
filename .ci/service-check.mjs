/**
 * Starts the service as `npm start` does, on an embedded database in a temporary folder, runs the
 * end-to-end tests against it with the printed password of the administrator, and stops it by SIGTERM.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const dataDir = mkdtempSync(join(tmpdir(), 'service-ci-'));
const run = (program, args, env) =>
  spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'pipe'] });

const service = run(process.execPath, ['scripts/start.mjs'], { PORT: '0', DATA_DIR: dataDir });
const exited = once(service, 'exit');
let said = '';
try {
  while (!/ serves http/.test(said) || !/^Password +in /m.test(said)) {
    const [data] = await Promise.race([once(service.stderr, 'data'), exited]);
    assert(data instanceof Uint8Array, `npm start has ended:\n${said}`);
    said += data;
  }
  service.stderr.resume();
  const [, base] = / serves (\S+)\/api\/v1$/m.exec(said);
  const [, email] = /^Admin +(\S+)$/m.exec(said);
  const [, file] = /^Password +in (\S+)/m.exec(said);
  const tests = run('npm', ['run', '--silent', 'test:e2e', '--', '--silent'], {
    E2E_BASE_URL: base,
    E2E_ADMIN_EMAIL: email,
    E2E_ADMIN_PASSWORD: readFileSync(file, 'utf8').trim(),
  });
  tests.stderr.pipe(process.stderr);
  const [code] = await once(tests, 'exit');
  process.exitCode = code;
  service.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null], 'how the service ends after SIGTERM');
} finally {
  service.kill('SIGTERM');
  await exited;
  rmSync(dataDir, { recursive: true, force: true });
}
