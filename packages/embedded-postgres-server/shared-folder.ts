import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { PRODUCT } from '../../src/config/product.js';
import { EmbeddedDatabaseError } from './embedded-database.error.js';

/** Folders of ours that every user of a machine can reach and that outlive a reboot; only root needs them. */
const CANDIDATES = [`/var/lib/${PRODUCT.slug}`, `/opt/${PRODUCT.slug}`];

/**
 * Makes `<a reachable folder>/<name>`, readable by everyone; for what the server's user cannot reach where it is
 * (a clone below `/root`, a folder of mode 0700). Existing folders keep their modes.
 */
export function makeSharedFolder(name: string): string {
  for (const parent of CANDIDATES) {
    const folder = join(parent, name);
    try {
      const first = mkdirSync(folder, { recursive: true });
      if (first) openFrom(folder, first);
      return folder;
    } catch {
      continue;
    }
  }
  throw new EmbeddedDatabaseError(
    `No folder for the embedded PostgreSQL: none of ${CANDIDATES.join(', ')} can be written. Move the project to a folder that every user can reach, or set DATABASE_URL.`,
  );
}

/** Opens the folders that were made on the way, whatever the umask is. */
function openFrom(folder: string, first: string): void {
  for (let made = folder; made.length >= first.length; made = dirname(made)) chmodSync(made, 0o755);
}

/** A name nothing else has. */
export const uniqueName = (prefix: string): string => `${prefix}-${randomBytes(6).toString('hex')}`;

/** Removes a folder made here, and nothing else whatever the path says. */
export function removeSharedFolder(folder: string): void {
  if (CANDIDATES.includes(dirname(folder))) rmSync(folder, { recursive: true, force: true });
}
