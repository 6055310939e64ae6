import { createHash } from 'node:crypto';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readJson, writeJson } from './json.mjs';

/** The folder of a project with the packed packages of its release. */
const FOLDER = 'vendor';

/**
 * Copies the packed `@plinth` packages from the folder of a release into the project, which then needs no registry for
 * them. `package.json`, the lock file and the Dockerfile refer to the copies, so clones and images need none either.
 *
 * @throws Error if the folder does not contain the packages that this create-plinth belongs to
 */
export function addPackages(project, release) {
  const [manifestFile, lockFile] = ['package.json', 'package-lock.json'].map((name) => join(project, name));
  const manifest = readJson(manifestFile);
  const lock = readJson(lockFile);
  const tarballs = tarballsIn(release);
  mkdirSync(join(project, FOLDER));
  for (const [path, entry] of Object.entries(lock.packages)) {
    const [, name, file] = /^node_modules\/(@plinth\/(\w+))$/.exec(path) ?? [];
    if (!name) continue;
    const copy = `${FOLDER}/plinth-${file}-${entry.version}.tgz`;
    const tarball = tarballs.get(entry.integrity);
    if (!tarball)
      throw new Error(
        `--from must name the folder of release ${entry.version}: the folder has no ${name} of this release (got ${release}).`,
      );
    copyFileSync(tarball, join(project, copy));
    entry.resolved = `file:${copy}`;
    // `@plinth/client` becomes a dependency of the project, because npm would ask the registry for packages that only
    // other packages need.
    const kind = name in manifest.dependencies ? 'dependencies' : 'devDependencies';
    manifest[kind] = sorted({ ...manifest[kind], [name]: entry.resolved });
    lock.packages[''][kind] = manifest[kind];
  }
  writeJson(manifestFile, manifest);
  writeJson(lockFile, lock);
  addToImage(project);
}

/**
 * Returns the paths of the tarballs in a folder, by their hash. The names of the files do not identify packages: npm
 * packs the generated client of an application named "plinth" under the name of `@plinth/client`.
 */
function tarballsIn(folder) {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    return new Map(names.map((name) => [hashOf(join(folder, name)), join(folder, name)]));
  } catch (error) {
    throw new Error(`--from must name a folder that can be read (got ${folder}).`, { cause: error });
  }
}

const hashOf = (file) => `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;

/** Sorts the keys of an object, as npm does. */
const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

function addToImage(project) {
  const dockerfile = join(project, 'Dockerfile');
  const text = readFileSync(dockerfile, 'utf8');
  writeFileSync(
    dockerfile,
    text.replaceAll(/^COPY package\.json package-lock.*$/gm, `$&\nCOPY ${FOLDER} ${FOLDER}`),
  );
  appendFileSync(join(project, '.dockerignore'), `!${FOLDER}\n`);
}
