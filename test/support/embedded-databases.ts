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

/** A user of the database in the first argument. */
const USER = `
  import { openEmbeddedDatabase } from './packages/dev/dist/embedded-postgres/embedded-database.js';
  const database = await openEmbeddedDatabase({ directory: process.argv[1], log: () => undefined });
  process.stdin.once('data', async () => {
    process.stdin.destroy();
    await database.stop();
    console.log('stopped');
  });
  console.log(database.url);`;

/** Most tests go on with the database of the one before: making one takes longest. */
let shared: string;
export let base: string;
/** Where the database of the test is: it changes with each test. */
export let directory: string;
let open: EmbeddedDatabase[];
let children: ChildProcess[];

/** Gives the tests of a file a directory, and stops what they started. */
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

/** From here on the test is alone with a directory in which there is nothing yet. */
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

/** A user in a process (and process group) of its own; anything on its standard input makes it call `stop()`. */
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
/** Of the server that has the lock; 0 in the moment in which one that starts replaces the lock of the one before. */
export const serverPid = () => {
  const lock = join(cluster(), 'postmaster.pid');
  return existsSync(lock) ? Number(readFileSync(lock, 'utf8').split('\n')[0]) : 0;
};

/** A zombie that nobody collects is not alive. */
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
    if (performance.now() > deadline) throw new Error('it did not come about');
  }
}
