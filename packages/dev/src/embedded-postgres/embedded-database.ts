import { mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { clusterPath, ensureCluster, removeCluster } from './cluster.js';
import { EmbeddedDatabaseError, serverAccount, serverBinaries } from './server-binaries.js';
import { Server, stopServer } from './server.js';

export interface EmbeddedDatabaseOptions {
  /** Keeps the database; made when missing. Deleting it means beginning with an empty database. */
  directory: string;
  /** Gets a line for what takes long or goes another way than usual. */
  log: (line: string) => void;
  /** False where the database is made: nothing waits for the disk, for tests. */
  durable?: boolean;
  /** Gives the start up: what has been started is stopped, then the call throws. */
  signal?: AbortSignal;
}

export interface EmbeddedDatabase {
  /** `postgres://postgres:<password>@127.0.0.1:<port>/postgres`; the user is the superuser. */
  url: string;
  /** Ends the server, unless other processes use it. Close your pools first. @returns whether it has ended */
  stop(): Promise<boolean>;
}

/**
 * Runs a PostgreSQL server on `directory`, for development and tests: reachable from this machine only, on a free port,
 * with a random password. Processes that open the same directory share the server, and the last one to stop ends it. A
 * server that dies is started again; one that outlives a killed process is used by the next.
 *
 * @throws EmbeddedDatabaseError with one line for the user
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { log, durable = true, signal } = options;
  const directory = resolve(options.directory);
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The embedded database cannot use ${directory}: ${(error as Error).message}`,
    );
  }
  const account = serverAccount(clusterPath(directory));
  const binaries = serverBinaries(account);
  const cluster = ensureCluster({ directory, binaries, account, durable, log });
  const server = new Server({ cluster, logFile: join(directory, 'server.log'), binaries, account, log });
  await server.start(signal);
  return { url: server.url, stop: () => server.stop() };
}

/** Ends the server of the directory, whoever uses it, and deletes the directory and the files kept elsewhere for it. */
export async function removeEmbeddedDatabase(directory: string): Promise<void> {
  const path = clusterPath(resolve(directory));
  if (statSync(path, { throwIfNoEntry: false })) {
    const account = serverAccount(path);
    await stopServer(
      { cluster: realpathSync(path), account, binaries: serverBinaries(account) },
      'immediate',
    );
  }
  removeCluster(path);
  rmSync(resolve(directory), { recursive: true, force: true });
}
