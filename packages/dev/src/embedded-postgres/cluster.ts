import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import {
  createDraftPath,
  EmbeddedDatabaseError,
  makeSharedFolder,
  publish,
  SHARED_FOLDER,
  type Account,
  type ServerBinaries,
} from './server-binaries.js';

/** The superuser of the server. */
export const SERVER_USER = 'postgres';

/** Settings for a server on a small machine. The server accepts connections only from this machine. */
const SERVER_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  max_wal_senders: 0,
  wal_level: 'minimal',
  // The class `Server` restarts PostgreSQL after a crash. PostgreSQL's own restart can hang forever if the disk is full.
  restart_after_crash: 'off',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Does not log failed statements: the application reports them, and the log would grow with every violated constraint.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};
/**
 * Settings for tests. With these, a crash may lose data. More SCRAM iterations would only slow down connections, because
 * the password is long and random.
 */
const UNSAFE_TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  scram_iterations: 1,
};

interface ClusterPlan {
  directory: string;
  binaries: ServerBinaries;
  account: Account | undefined;
  durable: boolean;
  log: (line: string) => void;
}

/**
 * Returns the path of the cluster in a directory. It is a folder, or a link to a folder that the server's user can
 * reach.
 */
export const clusterPath = (directory: string): string => join(directory, 'cluster');

/**
 * Returns the environment variables of the server. Omits the caller's locale, which PostgreSQL may not know, and `PG…`
 * variables, which may be meant for another server.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  return { LC_ALL: 'C', ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }) };
}

/** Reads the password of a cluster's superuser. Only the server's user can read the file. */
export const readPassword = (cluster: string): string =>
  readFileSync(join(cluster, 'password'), 'utf8').trim();

/**
 * Returns the real path of the directory's cluster. Creates the cluster if there is none.
 *
 * @throws EmbeddedDatabaseError if there is a cluster that this server cannot use
 */
export function ensureCluster(plan: ClusterPlan): string {
  const path = clusterPath(plan.directory);
  if (!lstatSync(path, { throwIfNoEntry: false })) createCluster(plan, path);
  const advice = `delete ${plan.directory} to start with an empty database`;
  let major: number;
  try {
    major = Number.parseInt(readFileSync(join(path, 'PG_VERSION'), 'utf8'), 10);
    readPassword(path);
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `Cannot read the database in ${path} (${(error as Error).message}): ${advice}.`,
    );
  }
  if (major === plan.binaries.major) return realpathSync(path);
  throw new EmbeddedDatabaseError(
    `The database in ${plan.directory} was created by PostgreSQL ${major}, but PostgreSQL ${plan.binaries.major} is installed. Dump it with pg_dump while the previous release runs, and restore the dump: see "Backup and restore" in @plinth/core/docs/operations.md. Or ${advice}.`,
  );
}

/** Removes a cluster. If the path is a link, also removes the folder that the link points to. */
export function removeCluster(path: string): void {
  const folder = lstatSync(path, { throwIfNoEntry: false }) && realpathSync(path);
  if (folder && dirname(folder) === SHARED_FOLDER) rmSync(folder, { recursive: true });
  rmSync(path, { recursive: true, force: true });
}

function createCluster(plan: ClusterPlan, path: string): void {
  const { account, directory, log } = plan;
  log(`creating a PostgreSQL ${plan.binaries.major} database in ${directory}`);
  let draft = createDraftPath(path);
  mkdirSync(draft, { mode: 0o700 });
  const inPlace = !account || giveTo(account, draft);
  // The cluster is then in the shared folder, and `path` becomes a link to it.
  if (!inPlace) {
    rmSync(draft, { recursive: true });
    draft = makeSharedFolder('cluster');
    giveTo(account, draft);
    log(
      `the user who runs PostgreSQL cannot reach ${directory}, so the files of the database are in ${draft}`,
    );
  }
  try {
    initialise(plan, draft);
    publish(draft, path, inPlace ? renameSync : symlinkSync);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Makes the server's user the owner of a file or folder. @returns whether that user can reach and write it */
function giveTo({ uid, gid }: Account, path: string): boolean {
  spawnSync('chown', [`${uid}:${gid}`, path]);
  return spawnSync('test', ['-w', path], { uid, gid, cwd: '/' }).status === 0;
}

/**
 * Creates a cluster in UTF-8 with the locale C.UTF-8, which is built into PostgreSQL, so it is the same on all machines.
 * Text is sorted by code point. `lower` and `ilike` know the letters of all languages.
 */
function initialise({ binaries, account, durable }: ClusterPlan, folder: string): void {
  const passwordFile = `${folder}.password`;
  writeFileSync(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (account) giveTo(account, passwordFile);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--auth=scram-sha-256', `--username=${SERVER_USER}`, `--pwfile=${passwordFile}`];
  const settings = Object.entries({ ...SERVER_SETTINGS, ...(durable ? {} : UNSAFE_TEST_SETTINGS) });
  const args = ['-D', folder, '--no-instructions', ...locale, ...access, ...(durable ? [] : ['--no-sync'])];
  const run = spawnSync(
    binaries.initdb,
    [...args, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...account, cwd: '/', env: serverEnvironment(), encoding: 'utf8' },
  );
  if (run.status === 0) {
    renameSync(passwordFile, join(folder, 'password'));
    return;
  }
  rmSync(passwordFile, { force: true });
  const reason = run.error?.message ?? (run.stderr.trim().replaceAll('\n', ' ') || `exit code ${run.status}`);
  throw new EmbeddedDatabaseError(
    `PostgreSQL could not create a database in ${folder} (${reason}). If PostgreSQL does not run on this machine, set DATABASE_URL to a PostgreSQL 14 or newer.`,
  );
}
