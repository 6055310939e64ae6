import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import {
  openEmbeddedDatabase,
  removeEmbeddedDatabase,
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
} from '../../packages/dev/src/embedded-postgres/embedded-database.js';

/** A program that uses the database in its first argument. */
const USER = `
  import { openEmbeddedDatabase } from './packages/dev/dist/embedded-postgres/embedded-database.js';
  const database = await openEmbeddedDatabase({ directory: process.argv[1], log: () => undefined });
  process.stdin.once('data', async () => {
    process.stdin.destroy();
    await database.stop();
    console.log('stopped');
  });
  console.log(database.url);`;

/** Most tests reuse the database of the test before, because creating one takes longest. */
let shared: string;
export let base: string;
/** The folder of the database of the current test. */
export let directory: string;
let open: EmbeddedDatabase[];
let children: ChildProcess[];

/** Provides a directory for the tests of a file, and stops what they have started. */
export function useEmbeddedDatabases(): void {
  beforeAll(() => {
    shared = makeBase();
  });

  afterAll(async () => {
    goTo(shared);
    await removeBase();
  });

  beforeEach(() => {
    goTo(shared);
    open = [];
    children = [];
  });

  afterEach(async () => {
    await Promise.all([...children.map(endOf), ...open.map((database) => database.stop())]);
    if (base !== shared) await removeBase();
  });
}

function makeBase(): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-embedded-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Gives the following tests a directory of their own, which is empty. */
export const beginEmpty = () => goTo(makeBase());

function goTo(folder: string): void {
  base = folder;
  directory = join(folder, 'data');
}

async function removeBase(): Promise<void> {
  await removeEmbeddedDatabase(directory);
  rmSync(base, { recursive: true, force: true });
}

export async function start(options: Partial<EmbeddedDatabaseOptions> = {}): Promise<EmbeddedDatabase> {
  const database = await openEmbeddedDatabase({
    directory,
    log: () => undefined,
    durable: false,
    ...options,
  });
  open.push(database);
  return database;
}

/** A program that uses the database, in a process group of its own. Any input makes it call `stop()`. */
export async function startInChild(): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', USER, directory], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  children.push(child);
  return { process: child, url: line.toString().trim() };
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

export const cluster = () => realpathSync(join(directory, 'cluster'));
/** The process id in the lock file, or 0 while a new server replaces the lock of the former one. */
export const serverPid = () => {
  const lock = join(cluster(), 'postmaster.pid');
  return existsSync(lock) ? Number(readFileSync(lock, 'utf8').split('\n')[0]) : 0;
};

/** A zombie that its parent has not collected is not alive. */
export const isAlive = (pid: number) =>
  !/^(Z.*)?$/.test(
    spawnSync('ps', ['-o', 'stat=', '-p', String(pid)])
      .stdout.toString()
      .trim(),
  );

export async function until(condition: () => boolean): Promise<void> {
  for (
    const deadline = performance.now() + 120_000;
    !condition();
    await new Promise((resolve) => setTimeout(resolve, 20))
  ) {
    if (performance.now() > deadline) throw new Error('the condition did not become true');
  }
}
