import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/**
 * Creates a folder for many temporary files. If there is room for `bytes`, the folder is in memory, because writing and
 * removing the files on a disk takes longer than the work on them.
 */
export const makeTemporaryFolder = (prefix, bytes) =>
  mkdtempSync(join(isRoomInMemory(bytes) ? MEMORY : tmpdir(), prefix));

function isRoomInMemory(bytes) {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > bytes && freemem() > bytes;
}
