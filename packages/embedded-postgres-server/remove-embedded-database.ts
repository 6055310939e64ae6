import { existsSync, realpathSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

import { clusterPath, removeCluster } from './cluster.js';
import { EmbeddedDatabaseError } from './embedded-database.error.js';
import { claimDirectory } from './ownership.js';
import { clearPostmasterLock } from './postmaster-lock.js';

/**
 * Deletes the directory's database, with files kept elsewhere because the server's user cannot reach the directory;
 * deleting the directory alone would leave those. A server left running there is ended; nothing there is fine.
 * @throws EmbeddedDatabaseError when another living process, or this one, runs the database
 */
export async function removeEmbeddedDatabase(directory: string): Promise<void> {
  const folder = resolve(directory);
  if (!existsSync(folder)) return;
  const outcome = claimDirectory(folder);
  if ('owner' in outcome) {
    throw new EmbeddedDatabaseError(
      `The embedded database in ${folder} is in use by process ${outcome.owner.pid}.`,
    );
  }
  const path = clusterPath(folder);
  if (existsSync(path)) await clearPostmasterLock(realpathSync(path));
  removeCluster(path);
  removeCluster(`${path}.new`);
  rmSync(folder, { recursive: true, force: true });
}
