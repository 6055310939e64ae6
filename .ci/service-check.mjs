/**
 * Starts the service as `npm start` does, on an embedded database in a temporary folder, logs the administrator in with
 * the password that it wrote, and stops it by SIGTERM.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const dataDir = mkdtempSync(join(tmpdir(), 'service-ci-'));
const service = spawn(process.execPath, ['scripts/start.mjs'], {
  env: { ...process.env, PORT: '0', DATA_DIR: dataDir },
  stdio: ['ignore', 'inherit', 'pipe'],
});
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
  const login = await fetch(`${base}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: readFileSync(file, 'utf8').trim() }),
  });
  assert.equal(login.status, 200, await login.text());
  service.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null], 'how the service ends after SIGTERM');
} finally {
  service.kill('SIGTERM');
  await exited;
  rmSync(dataDir, { recursive: true, force: true });
}
