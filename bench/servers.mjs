/** Starts the two servers, each a process of its own on the same core. */
import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../scripts/lib/free-port.mjs';
import { pinned } from './pinning.mjs';

export const ADMIN = { email: 'bench@example.com', password: 'only-for-the-benchmark' };
const POOL_SIZE = '10';
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;

/** A file of the repository, as an absolute path. */
export const root = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {string} url
 * @property {string} prefix of the paths that the cases give
 * @property {number} pid
 * @property {() => string | null} lastWords how it ended and the end of its log; null while it runs
 * @property {() => void} clearLog keeps the log file small between two loads
 * @property {() => Promise<void>} stop
 */

/** @typedef {{ databaseUrl: string, cpus: string | null, directory: string }} Place */

/**
 * The measured server as a user runs it: rate limiting on, one log line a request, written to a file.
 * @param {Place} place
 * @param {Record<string, string>} [settings] environment variables of a measurement's own
 * @param {string} [name]
 * @param {string} [script] of another build
 * @returns {Promise<Server>}
 */
export const startOurs = (place, settings = {}, name = 'ours', script = root('dist/src/main.js')) =>
  start(place, name, script, '/api/v1', {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    RATE_LIMIT: '100000000',
    JWT_SECRET: 'a-secret-of-the-benchmark-with-more-than-32-bytes',
    DATA_DIR: place.directory,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...settings,
  });

/** @param {Place} place @returns {Promise<Server>} */
export const startBaseline = (place) => start(place, 'baseline', root('bench/baseline.mjs'), '', {});

/** The environment of a command of ours, without settings that the caller's shell may hold for another server. */
export function commandEnvironment(databaseUrl) {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  return { PATH, HOME, TMPDIR, SystemRoot, DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: POOL_SIZE };
}

async function start({ databaseUrl, cpus, directory }, name, script, prefix, settings) {
  if (!existsSync(script)) throw new Error(`${script} is missing: build first (npm run build).`);
  const log = join(directory, `${name}.log`);
  const file = openSync(log, 'a');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [program, ...parameters] = pinned(cpus, [process.execPath, script]);
  const child = spawn(program, parameters, {
    cwd: directory, // no .env of the developer is read
    env: { ...commandEnvironment(databaseUrl), HOST: '127.0.0.1', PORT: String(port), ...settings },
    stdio: ['ignore', file, file],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const lastWords = () =>
    isRunning()
      ? null
      : `it ended with ${child.signalCode ?? `code ${child.exitCode}`}\n${readFileSync(log, 'utf8').trim().split('\n').slice(-10).join('\n')}`;
  const stop = async () => {
    const patience = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    if (isRunning() && child.kill('SIGTERM')) await exited;
    clearTimeout(patience);
  };
  try {
    await Promise.race([untilReady(url), exited.then(() => Promise.reject(new Error(lastWords())))]);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${name} did not start: ${error.message}`);
  }
  return { name, url, prefix, pid: child.pid, lastWords, clearLog: () => truncateSync(log), stop };
}

async function untilReady(url) {
  const end = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < end) {
    const answer = await fetch(`${url}/health/ready`).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`/health/ready did not answer 200 within ${START_TIMEOUT_MS / 1000} s`);
}
