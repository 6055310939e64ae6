/** Starts the measured servers, each in its own process on the same core. */
import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../scripts/lib/free-port.mjs';
import { pinned } from './pinning.mjs';

export const ADMIN = { email: 'bench@example.com', password: 'only-for-the-benchmark' };
const POOL_SIZE = '10';
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 15_000;

/** Returns the absolute path of a file of the repository. */
export const root = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {string} url
 * @property {string} prefix added to the paths of the cases
 * @property {number} pid
 * @property {() => string | null} lastWords how it ended, with the end of its log; null while it runs
 * @property {() => void} clearLog empties the log file between two loads
 * @property {() => Promise<void>} stop
 */

/** @typedef {{ databaseUrl: string, cpus: string | null, directory: string }} Place */

/**
 * Starts the measured server as a user would run it: with rate limits, and a line for each request in a log file.
 * @param {Place} place
 * @param {Record<string, string>} [settings] additional environment variables
 * @param {string} [name]
 * @param {string} [script] of another build
 * @returns {Promise<Server>}
 */
export const startOurs = (place, settings = {}, name = 'ours', script = root('dist/src/main.js')) =>
  startScript(place, name, script, {
    prefix: '/api/v1',
    // As in `npm start` and in the image.
    nodeOptions: ['--max-semi-space-size=64'],
    settings: {
      NODE_ENV: 'test',
      LOG_LEVEL: 'info',
      RATE_LIMIT: '100000000',
      JWT_SECRET: 'a-secret-of-the-benchmark-with-more-than-32-bytes',
      DATA_DIR: place.directory,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...settings,
    },
  });

/** @param {Place} place @returns {Promise<Server>} */
export const startBaseline = (place) => startScript(place, 'baseline', root('bench/baseline.mjs'));

function startScript(place, name, script, { prefix = '', settings = {}, nodeOptions = [] } = {}) {
  if (!existsSync(script)) throw new Error(`${script} is missing: build first (npm run build).`);
  const command = [process.execPath, ...nodeOptions, script];
  return startServer(place, {
    name,
    command,
    folder: place.directory, // has no .env of the developer
    settings,
    prefix,
    ready: { path: '/health/ready', is: ({ ok }) => ok },
  });
}

/** Returns the environment of our commands, without settings in the caller's shell that are meant for another server. */
export function commandEnvironment(databaseUrl) {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  return { PATH, HOME, TMPDIR, SystemRoot, DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: POOL_SIZE };
}

/**
 * Starts a server on a free port of 127.0.0.1, which it gets as PORT and HOST, and waits until it is ready.
 * @param {Place} place
 * @param {object} program
 * @param {string} program.name
 * @param {string[]} program.command
 * @param {string} program.folder its working directory
 * @param {Record<string, string>} program.settings its additional environment variables
 * @param {string} program.prefix added to the paths of the cases
 * @param {{ path: string, is: (answer: Response) => boolean }} program.ready the request that is repeated until it is ready
 * @returns {Promise<Server>}
 */
export async function startServer({ databaseUrl, cpus, directory }, program) {
  const { name, command, folder, settings, prefix, ready } = program;
  const log = join(directory, `${name}.log`);
  const file = openSync(log, 'a');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [executable, ...parameters] = pinned(cpus, command);
  const child = spawn(executable, parameters, {
    cwd: folder,
    env: { ...commandEnvironment(databaseUrl), HOST: '127.0.0.1', PORT: String(port), ...settings },
    stdio: ['ignore', file, file],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const lastWords = () =>
    isRunning()
      ? null
      : `it exited with ${child.signalCode ?? `code ${child.exitCode}`}\n${readFileSync(log, 'utf8').trim().split('\n').slice(-10).join('\n')}`;
  const stop = async () => {
    const patience = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    if (isRunning() && child.kill('SIGTERM')) await exited;
    clearTimeout(patience);
  };
  try {
    await Promise.race([untilReady(url, ready), exited.then(() => Promise.reject(new Error(lastWords())))]);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${name} did not start: ${error.message}`);
  }
  return { name, url, prefix, pid: child.pid, lastWords, clearLog: () => truncateSync(log), stop };
}

async function untilReady(url, { path, is }) {
  const end = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < end) {
    const answer = await fetch(url + path).catch(() => null);
    if (answer && is(answer)) return;
    await sleep(100);
  }
  throw new Error(`${path} did not answer as expected within ${START_TIMEOUT_MS / 1000} s`);
}
