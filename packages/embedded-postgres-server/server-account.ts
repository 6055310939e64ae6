import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

import { EmbeddedDatabaseError } from './embedded-database.error.js';

/** The system user that runs the server. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * Whom the server of `cluster` must run as: undefined is "as this process". PostgreSQL refuses to run as root, so
 * root gets the user that owns the cluster already, else the system user `postgres`, made when it is missing.
 */
export function serverAccount(cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = lookUp('postgres') ?? create('postgres');
  if (account) return account;
  throw new EmbeddedDatabaseError(
    'PostgreSQL does not run as root and the system user "postgres" could not be made: create it, start the service as another user, or set DATABASE_URL.',
  );
}

/** Whether that user can reach and write `folder`: asked of the system, which also knows of ACLs and mount options. */
export function canWrite(account: Account, folder: string): boolean {
  const script = 'test -x "$1" && test -w "$1"';
  return spawnSync('/bin/sh', ['-c', script, 'sh', folder], { ...account, cwd: '/' }).status === 0;
}

function lookUp(name: string): Account | undefined {
  const id = (option: string) =>
    Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

function create(name: string): Account | undefined {
  const options = ['--system', '--no-create-home', '--user-group', '--shell', '/bin/false'];
  spawnSync('useradd', [...options, name], { stdio: 'ignore' });
  return lookUp(name);
}
