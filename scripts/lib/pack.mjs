import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { ensureBuilt } from './build.mjs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';

/** The packages in the order of packing. `create` is last, because its lock file contains the hashes of the others. */
export const PACKAGES = ['core', 'client', 'dev', 'create'];

export const parts = (version) => version.split('.').map(Number);

/** Compares versions for a sort with the oldest first. */
export const byVersion = (a, b) =>
  parts(a)
    .map((part, index) => part - parts(b)[index])
    .find((difference) => difference !== 0) ?? 0;

/** Builds and packs all packages into a folder. @param folder an absolute path @throws Error if npm fails */
export async function packAll(folder) {
  await ensureBuilt();
  mkdirSync(folder, { recursive: true });
  for (const name of PACKAGES) {
    const { code, output } = await run('npm', ['pack', `./packages/${name}`, '--pack-destination', folder], {
      quiet: true,
    });
    if (code !== 0) throw new Error(`could not pack ${name}:\n${output}`);
  }
}

/** Returns the versions of all complete releases, the oldest first. Empty before the first release. */
export const releases = () =>
  (existsSync(inRoot('releases')) ? readdirSync(inRoot('releases')) : [])
    .filter((name) => /^\d/.test(name) && existsSync(inRoot('releases', name, 'public-api.txt')))
    .sort(byVersion);
