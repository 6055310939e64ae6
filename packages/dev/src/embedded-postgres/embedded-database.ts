import { mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { clusterPath, ensureCluster, removeCluster } from './cluster.js';
import { EmbeddedDatabaseError, serverAccount, serverBinaries } from './server-binaries.js';
import { Server, stopServer } from './server.js';

export interface EmbeddedDatabaseOptions {
  /** The folder of the database. Created if it is missing. If you delete it, you start with an empty database. */
  directory: string;
  /** Called with a line for the user before slow steps, and in unusual situations. */
  log: (line: string) => void;
  /** Whether commits wait for the disk. Set it to `false` only for tests. Default: `true`. */
  durable?: boolean;
  /** Aborts the start: the server is stopped, then the call throws. */
  signal?: AbortSignal;
}

export interface EmbeddedDatabase {
  /** `postgres://postgres:<password>@127.0.0.1:<port>/postgres`; the user is the superuser. */
  url: string;
  /** Stops the server, unless other processes use it. Close your pools first. @returns whether the server was stopped */
  stop(): Promise<boolean>;
}

/**
 * Runs a PostgreSQL server on `directory`, for development and tests. It listens on a free port of this machine only,
 * and has a random password. Processes that open the same directory share the server, and the last one to call `stop()`
 * stops it. A server that crashes is restarted. A server that outlives a killed process is used by the next process.
 *
 * @throws EmbeddedDatabaseError if the server cannot be used. The message is one line for the user
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

/**
 * Stops the server of a directory, even if other processes use it. Deletes the directory and the files of the cluster.
 */
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
