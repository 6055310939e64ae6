/**
 * Starts the service by `npm start` as a new user would, on an embedded database in a temporary folder, uses it, and
 * stops it by SIGTERM. Prints a line per check and, last, how many passed and failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { DOCUMENT, ensureDocument } from '../scripts/lib/openapi.mjs';

const START_TIMEOUT_MS = 240_000;
const STOP_TIMEOUT_MS = 30_000;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dataDir = mkdtempSync(join(tmpdir(), 'service-ci-'));
const database = join(dataDir, 'database');
const counts = { passed: 0, failed: 0 };

async function check(what, work) {
  try {
    await work();
    counts.passed++;
    console.log(`ok   ${what}`);
  } catch (error) {
    counts.failed++;
    console.log(`FAIL ${what}: ${error.message}`);
  }
}

function expect(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what} is ${actual}, not ${expected}`);
}

/** Settings of the caller's shell, for another server, stay out. */
function environment() {
  const known = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#([A-Z0-9_]+)=/gm);
  const env = { ...process.env };
  for (const [, name] of known) delete env[name];
  return { ...env, PORT: '0', DATA_DIR: dataDir };
}

/** Runs a script of package.json; `output` grows while it runs. */
function npm(...args) {
  const child = spawn('npm', ['--silent', ...args], { cwd: root, env: environment(), detached: true });
  const run = { child, output: '', ended: once(child, 'exit') };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (run.output += data));
  return run;
}

/** Ends what is left of a script's process group. */
function kill({ child }) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Waits until the service has said what matches. */
async function until(run, pattern) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!pattern.test(run.output)) {
    if (Date.now() > deadline || run.child.exitCode !== null) {
      throw new Error(`it did not say ${pattern}, but:\n${run.output.slice(-2000)}`);
    }
    await sleep(100);
  }
  return pattern.exec(run.output).groups;
}

/** What it says at its first start. */
const announcement = async (run) => {
  const { base } = await until(run, /serves (?<base>\S+)\/api\/v1$/m);
  const { email } = await until(run, /^Admin +(?<email>\S+)$/m);
  const { file } = await until(run, /^Password +in (?<file>\S+)/m);
  return { base, email, password: readFileSync(file, 'utf8').trim() };
};

async function get(url, headers = {}) {
  const response = await fetch(url, { headers });
  expect(response.status, 200, `the status of ${url}`);
  return response;
}

async function use({ base, email, password }) {
  let authorization;
  await check('/health/live answers', () => get(`${base}/health/live`));
  await check('/health/ready answers', () => get(`${base}/health/ready`));
  await check('the printed administrator can log in', async () => {
    const body = JSON.stringify({ email, password });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${base}/api/v1/login`, { method: 'POST', headers, body });
    expect(response.status, 200, 'the status');
    authorization = `Bearer ${(await response.json()).accessToken}`;
  });
  await check('npm run seed fills the database of the running service', async () => {
    const seed = npm('run', 'seed', '--', '--products', '1000');
    const [code] = await seed.ended;
    expect(code, 0, `the exit code (${seed.output.trim()})`);
    const list = await (await get(`${base}/api/v1/products`, { authorization })).json();
    expect(list.pagination.total, 1000, 'the number of products');
  });
  await check('the docs page loads, with all that it links to', async () => {
    const page = await get(`${base}/docs`);
    const links = [...(await page.text()).matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)];
    for (const [, link] of links) await get(new URL(link, `${base}/docs`));
  });
  await check(
    'the OpenAPI document is the one that is linted, and that clients are generated from',
    async () => {
      await ensureDocument();
      const document = await (await get(`${base}/docs/openapi.json`)).text();
      expect(document === readFileSync(DOCUMENT, 'utf8'), true, 'being that document');
    },
  );
}

/** The processes of the service and of its PostgreSQL, from the files that they keep. */
const servicePid = () => JSON.parse(readFileSync(join(database, 'owner.json'), 'utf8')).pid;
const postgresPid = () =>
  Number(readFileSync(join(database, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function untilGone(...pids) {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (pids.some(isAlive)) {
    if (Date.now() > deadline) throw new Error(`something still runs after ${STOP_TIMEOUT_MS / 1000} s`);
    await sleep(100);
  }
}

async function stop(run) {
  await check('SIGTERM to the service ends it with code 0, and PostgreSQL with it', async () => {
    const [pid, postgres] = [servicePid(), postgresPid()];
    expect(isAlive(postgres), true, 'that PostgreSQL runs before');
    process.kill(pid, 'SIGTERM');
    await untilGone(pid, postgres);
    const [code, signal] = await run.ended;
    expect(signal ?? code, 0, 'the exit code');
  });
}

/** npm passes the signal on to a shell, which ends without a word to the service. */
async function stopByNpm() {
  service = npm('start');
  await check('SIGTERM to npm start leaves nothing behind', async () => {
    await until(service, / serves http/m);
    const pids = [servicePid(), postgresPid()];
    service.child.kill('SIGTERM');
    await untilGone(...pids);
  });
}

let service = npm('start');
process.once('SIGTERM', () => {
  kill(service);
  process.exit(143);
});
let announced;
await check('npm start announces the service', async () => (announced = await announcement(service)));
if (announced) {
  await use(announced);
  await stop(service);
  await stopByNpm();
}
kill(service);

await check('its data can be removed', async () => {
  const { removeEmbeddedDatabase } =
    await import('../dist/packages/embedded-postgres-server/remove-embedded-database.js');
  await removeEmbeddedDatabase(database);
});
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 ? 0 : 1);
