import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/**
 * Makes a folder for many files that are thrown away: in memory where there is room for so many bytes, for on a disk
 * writing and removing them takes longer than the work on them.
 */
export const makeTemporaryFolder = (prefix, bytes) =>
  mkdtempSync(join(isRoomInMemory(bytes) ? MEMORY : tmpdir(), prefix));

function isRoomInMemory(bytes) {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > bytes && freemem() > bytes;
}
