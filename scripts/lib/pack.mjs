import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { ensureBuilt } from './build.mjs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';

/** Packages in the order in which they are packed: the last one's lock file names the others by what they are. */
export const PACKAGES = ['core', 'client', 'dev', 'create'];

export const parts = (version) => version.split('.').map(Number);

/** Orders versions, the oldest first. */
export const byVersion = (a, b) =>
  parts(a)
    .map((part, index) => part - parts(b)[index])
    .find((difference) => difference !== 0) ?? 0;

/** Builds and packs all packages into a folder, given by its absolute path. @throws Error where npm fails */
export async function packAll(folder) {
  await ensureBuilt();
  mkdirSync(folder, { recursive: true });
  for (const name of PACKAGES) {
    const { code, output } = await run('npm', ['pack', `./packages/${name}`, '--pack-destination', folder], {
      quiet: true,
    });
    if (code !== 0) throw new Error(`${name} cannot be packed:\n${output}`);
  }
}

/** The versions of the releases whose folders are complete, the oldest first. Before the first release, there are none. */
export const releases = () =>
  (existsSync(inRoot('releases')) ? readdirSync(inRoot('releases')) : [])
    .filter((name) => /^\d/.test(name) && existsSync(inRoot('releases', name, 'public-api.txt')))
    .sort(byVersion);
