import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
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
import { dirname, join } from 'node:path';

import { PRODUCT } from '../../src/core/config/product.js';
import { EmbeddedDatabaseError } from './embedded-database.error.js';
import { canWrite, type Account } from './server-account.js';
import type { ServerBinaries } from './server-binaries.js';

/** The superuser, and the database made for the service. */
export const SERVER_USER: string = PRODUCT.slug;

/** The folder that every user can reach: it serves the account of the server where this process is root. */
const SHARED = `/var/lib/${PRODUCT.slug}`;

interface ClusterPlan {
  directory: string;
  binaries: ServerBinaries;
  account: Account | undefined;
  password: string;
  durable: boolean;
  log: (line: string) => void;
}

/** Where a directory keeps its cluster: a folder, or a link to one that the server's user can reach. */
export const clusterPath = (directory: string): string => join(directory, 'cluster');

/** Neither the caller's locale, which may not exist here, nor `PG…` variables meant for another server get through. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  return { LC_ALL: 'C', ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }) };
}

const draftOf = (path: string) => `${path}.${randomBytes(6).toString('hex')}`;

/** The password of the directory's database, made at the first call; only the current user may read its file. */
export function ensurePassword(directory: string): string {
  const file = join(directory, 'password');
  if (!existsSync(file)) {
    const draft = draftOf(file);
    writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600 });
    publish(() => {
      linkSync(draft, file);
    });
    rmSync(draft);
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * The real path of the directory's cluster, made first when there is none. It appears under its name when it is
 * complete, and by the first of several processes that make it.
 *
 * @throws EmbeddedDatabaseError when there is a cluster that this server cannot use
 */
export function ensureCluster(plan: ClusterPlan): string {
  const path = clusterPath(plan.directory);
  if (!lstatSync(path, { throwIfNoEntry: false })) create(plan, path);
  const advice = `delete ${plan.directory} to begin with an empty database`;
  let major: number;
  try {
    major = Number.parseInt(readFileSync(join(path, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `No database can be read in ${path} (${(error as Error).message}): ${advice}.`,
    );
  }
  if (major === plan.binaries.major) return realpathSync(path);
  throw new EmbeddedDatabaseError(
    `The database in ${plan.directory} was made by PostgreSQL ${major} and ${plan.binaries.major} is installed: dump it with pg_dump while the release that made it serves and restore the dump, see "Backup and restore" in docs/operations.md; or ${advice}.`,
  );
}

/** Removes a cluster, the folder behind a link included. */
export function removeCluster(path: string): void {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  if (isLink && dirname(readlinkSync(path)) === SHARED) rmSync(readlinkSync(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
}

/** Makes a folder in a place that every user can reach. */
export function makeSharedFolder(name: string): string {
  const folder = draftOf(join(SHARED, name));
  try {
    mkdirSync(folder, { recursive: true });
    chmodSync(SHARED, 0o755);
    return folder;
  } catch {
    throw new EmbeddedDatabaseError(
      `No folder for the embedded PostgreSQL: ${SHARED} cannot be written. Move the project to a folder that every user can reach, or set DATABASE_URL.`,
    );
  }
}

function create(plan: ClusterPlan, path: string): void {
  const { account, directory, log } = plan;
  log(`creating a PostgreSQL ${plan.binaries.major} database in ${directory}`);
  let draft = draftOf(path);
  mkdirSync(draft, { mode: 0o700 });
  const inPlace = !account || isUsable(account, draft);
  if (!inPlace) {
    rmSync(draft, { recursive: true });
    draft = makeSharedFolder('cluster');
    chownSync(draft, account.uid, account.gid);
    log(`the user who runs PostgreSQL cannot reach ${directory}: its files are in ${draft}`);
  }
  try {
    initialise(plan, draft);
    const isOurs = publish(() => {
      if (inPlace) renameSync(draft, path);
      else symlinkSync(draft, path);
    });
    if (!isOurs) rmSync(draft, { recursive: true });
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** False where another process has been first. */
function publish(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    return false;
  }
}

function isUsable(account: Account, folder: string): boolean {
  try {
    chownSync(folder, account.uid, account.gid);
  } catch {
    return false;
  }
  return canWrite(account, folder);
}

/**
 * UTF-8 with the built-in locale C.UTF-8, which every machine has: texts sort by code point, `lower` and `ilike`
 * know all letters. The password goes through a file that only the server's user reads.
 */
function initialise(plan: ClusterPlan, folder: string): void {
  const { binaries, account, password, durable } = plan;
  const passwordFile = `${folder}.password`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--auth=scram-sha-256', `--username=${SERVER_USER}`, `--pwfile=${passwordFile}`];
  // The password is random and long: iterations would only make connecting slower.
  const haste = durable ? [] : ['--no-sync', '-c', 'scram_iterations=1'];
  const run = spawnSync(
    binaries.initdb,
    ['-D', folder, '--no-instructions', ...locale, ...access, ...haste],
    { ...account, cwd: '/', env: serverEnvironment(), encoding: 'utf8' },
  );
  rmSync(passwordFile, { force: true });
  if (run.status === 0) return;
  const reason = run.error?.message ?? (run.stderr.trim().replaceAll('\n', ' ') || `exit code ${run.status}`);
  throw new EmbeddedDatabaseError(`PostgreSQL could not create a database in ${folder}: ${reason}`);
}
