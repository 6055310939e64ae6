import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAIN } from './build.mjs';

export const ADMIN = { email: 'admin@example.com', password: 'only for this check' };

/** The settings of a service for a check. None of them comes from the caller's environment. */
export const OWN_SETTINGS = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: '0',
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  LOG_LEVEL: 'warn',
};

/**
 * Starts the built service on a free port, with an embedded database in a temporary folder. Ignores the settings of the
 * caller's environment. Resolves to `{ origin, stop, dataDir }`.
 */
export async function startOwnService(settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'own-service-'));
  const env = { ...OWN_SETTINGS, DATA_DIR: join(folder, 'data'), ...settings };
  const remove = async () => {
    const { removeEmbeddedDatabase } =
      await import('../../packages/dev/dist/embedded-postgres/embedded-database.js');
    await removeEmbeddedDatabase(join(folder, 'data/database'));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const service = await startService([process.execPath, MAIN], { env, cwd: folder });
    return { ...service, dataDir: env.DATA_DIR, stop: () => service.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Starts a service with a command such as `npm start`. The command may start several processes, all of which must end
 * when the first one gets SIGTERM. Resolves to `{ origin, stop }` when the service listens.
 *
 * @throws Error with the output of the command if it exits
 */
export async function startService([command, ...args], { env, cwd }) {
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'inherit', 'pipe'], detached: true });
  const isRunning = () => {
    try {
      return process.kill(-child.pid, 0);
    } catch {
      return false;
    }
  };
  const pass = () => child.kill('SIGTERM');
  process.once('SIGINT', pass);
  process.once('SIGTERM', pass);
  const stop = async () => {
    for (const name of ['SIGINT', 'SIGTERM']) process.off(name, pass);
    pass();
    while (isRunning()) await sleep(50);
  };
  let said = '';
  for await (const line of createInterface(child.stderr)) {
    said += `${line}\n`;
    const origin = / serves (http.*)\/api\/v1$/.exec(line)?.[1];
    if (!origin) continue;
    child.stderr.resume();
    return { origin, stop };
  }
  await stop();
  throw new Error(`the service did not start:\n${said}`);
}
