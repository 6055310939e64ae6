import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { alone } from './alone.mjs';
import { inRoot, root } from './paths.mjs';
import { runNode } from './run.mjs';

export const MAIN = inRoot('dist/src/main.js');
export const STAMP = inRoot('dist/.stamp');
/** What the build is made of. */
const SOURCES = ['src', 'packages', 'tools'];
const CONFIGURATION = /^(tsconfig.*\.json|nest-cli\.json|ormconfig\.ts|package-lock\.json)$/;

/**
 * Runs `nest build` unless dist/ holds what the sources are. Ends the process when they do not compile. What counts is
 * the content of the files, so a checkout back and forth builds nothing.
 *
 * @param options.types whether types are checked: half of the work, and left out where another check does it
 */
export async function ensureBuilt({ force = false, types = true } = {}) {
  if (!force && isBuilt()) return;
  await alone('build', async () => {
    if (!force && isBuilt()) return;
    console.log('building…');
    const stamp = currentStamp();
    rmSync(STAMP, { force: true });
    for (const file of filesBelow('dist', /\.js$/).filter(isLeftOver)) rmSync(inRoot(file));
    const project = types ? 'tsconfig.build.json' : 'tsconfig.unchecked.json';
    const { code } = await runNode([
      inRoot('node_modules/@nestjs/cli/bin/nest.js'),
      'build',
      '--path',
      project,
    ]);
    if (code !== 0) {
      console.error('the sources do not compile: see above');
      process.exit(code);
    }
    writeFileSync(STAMP, stamp);
  });
}

const isBuilt = () => existsSync(MAIN) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === currentStamp();

/** What was compiled of a file that is gone would still be found: an entity, for one. */
const isLeftOver = (file) => !existsSync(inRoot(file.replace(/^dist\/(.*)\.js$/, '$1.ts')));

function currentStamp() {
  const configuration = readdirSync(root).filter((name) => CONFIGURATION.test(name));
  const sources = SOURCES.flatMap((folder) => filesBelow(folder, /(?<!\.test\.ts)$/));
  const hash = createHash('sha256');
  for (const file of [...sources, ...configuration].sort())
    hash.update(`\0${file}\0`).update(readFileSync(inRoot(file)));
  return hash.digest('hex');
}

function filesBelow(folder, pattern) {
  if (!existsSync(inRoot(folder))) return [];
  return readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && pattern.test(entry.name) && !entry.parentPath.includes('node_modules'),
    )
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.length + 1));
}
