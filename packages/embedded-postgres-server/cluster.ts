import { spawnSync } from 'node:child_process';
import {
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { EmbeddedDatabaseError } from './embedded-database.error.js';
import { canWrite, type Account } from './server-account.js';
import type { ServerBinaries } from './server-binaries.js';
import { SERVER_USER, serverEnvironment } from './server-settings.js';
import { makeSharedFolder, removeSharedFolder, uniqueName } from './shared-folder.js';

export interface ClusterPlan {
  directory: string;
  binaries: ServerBinaries;
  account: Account | undefined;
  password: string;
  durable: boolean;
  log: (line: string) => void;
}

/** Where a directory keeps its cluster: a folder, or a link to one that the server's user can reach. */
export const clusterPath = (directory: string): string => join(directory, 'cluster');

/**
 * The real path of the directory's cluster, made first when there is none. It is made under another name and
 * renamed when complete, so that a killed `initdb` leaves nothing but a leftover for the next start to remove.
 * @throws EmbeddedDatabaseError when there is a cluster that this server cannot use
 */
export function ensureCluster(plan: ClusterPlan): string {
  const path = clusterPath(plan.directory);
  if (!lstatSync(path, { throwIfNoEntry: false })) create(plan, path);
  return usable(plan, path);
}

/** Removes what a `cluster` or `cluster.new` entry stands for, the folder behind a link included. */
export function removeCluster(path: string): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink()) {
    removeSharedFolder(readlinkSync(path));
    removeSharedFolder(passwordFileOf(readlinkSync(path)));
  }
  rmSync(path, { recursive: true, force: true });
  rmSync(passwordFileOf(path), { force: true });
}

const passwordFileOf = (folder: string) => `${folder}.password`;

function usable({ directory, binaries, account }: ClusterPlan, path: string): string {
  const advice = `delete ${directory} to begin with an empty database`;
  let cluster: string;
  let major: number;
  try {
    cluster = realpathSync(path);
    major = Number.parseInt(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `No database can be read in ${path} (${(error as Error).message}): ${advice}.`,
    );
  }
  if (major !== binaries.major) {
    throw new EmbeddedDatabaseError(
      `The database in ${directory} was made by PostgreSQL ${major} and ${binaries.major} is installed: dump it with pg_dump while the release that made it serves and restore the dump, see "Backup and restore" in docs/operations.md; or ${advice}.`,
    );
  }
  if (account && !canWrite(account, cluster)) {
    throw new EmbeddedDatabaseError(
      `The system user ${account.uid}, who runs PostgreSQL, cannot reach ${cluster}: move the project back to where it was, or ${advice}.`,
    );
  }
  return cluster;
}

function create(plan: ClusterPlan, path: string): void {
  plan.log(`creating a PostgreSQL ${plan.binaries.major} database in ${plan.directory}`);
  const draft = `${path}.new`;
  removeCluster(draft);
  if (!makeInPlace(plan, draft)) makeElsewhere(plan, draft);
  initialise(plan, realpathSync(draft));
  renameSync(draft, path);
}

/** False when the server's user could not work there. */
function makeInPlace({ account }: ClusterPlan, draft: string): boolean {
  mkdirSync(draft, { mode: 0o700 });
  if (!account) return true;
  try {
    chownSync(draft, account.uid, account.gid);
    if (canWrite(account, draft)) return true;
  } catch {
    // A file system without owners: elsewhere, then.
  }
  rmSync(draft, { recursive: true });
  return false;
}

function makeElsewhere({ account, directory, log }: ClusterPlan, draft: string): void {
  const folder = makeSharedFolder(uniqueName('cluster'));
  symlinkSync(folder, draft);
  if (account) chownSync(folder, account.uid, account.gid);
  log(`the user who runs PostgreSQL cannot reach ${directory}: its files are in ${folder}`);
}

/**
 * UTF-8 with the built-in locale C.UTF-8, which every machine has: texts sort by code point, `lower` and `ilike`
 * know all letters. The password goes through a file that only the server's user reads.
 */
function initialise(plan: ClusterPlan, folder: string): void {
  const { binaries, account, password, durable } = plan;
  const passwordFile = passwordFileOf(folder);
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  const args = [
    ...[
      '-D',
      folder,
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ],
    ...['--auth=scram-sha-256', `--username=${SERVER_USER}`, `--pwfile=${passwordFile}`, '--no-instructions'],
    // The password is random and long: iterations would only make connecting slower.
    ...(durable ? [] : ['--no-sync', '-c', 'scram_iterations=1']),
  ];
  const run = spawnSync(binaries.initdb, args, {
    ...account,
    cwd: '/',
    env: serverEnvironment(),
    encoding: 'utf8',
  });
  rmSync(passwordFile, { force: true });
  if (run.status === 0) return;
  const reason = run.error?.message ?? (run.stderr.trim().replaceAll('\n', ' ') || `exit code ${run.status}`);
  throw new EmbeddedDatabaseError(`PostgreSQL could not create a database in ${folder}: ${reason}`);
}
