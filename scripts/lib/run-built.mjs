import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { inRoot, root } from './paths.mjs';

/**
 * Installs and builds what is missing or stale, then runs a compiled program in this process, with its arguments.
 *
 * @param program its path in dist/
 */
export async function runBuilt(program) {
  process.chdir(root);
  await ensureInstalled();
  await ensureBuilt();
  await import(pathToFileURL(inRoot('dist', program)).href);
}
