import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './alone.mjs';
import { inRoot, root } from './paths.mjs';
import { runNode } from './run.mjs';

export const MAIN = inRoot('dist/src/main.js');
const STAMP = inRoot('dist/.stamp');
/** What the build is made of. */
const PACKAGES = ['packages/core', 'packages/client', 'packages/dev'];
const SOURCES = ['src', 'seed', ...PACKAGES.map((folder) => `${folder}/src`)];
const CONFIGURATION = /^(tsconfig.*\.json|nest-cli\.json|ormconfig\.ts|package(-lock)?\.json)$/;

/**
 * Compiles the packages and runs `nest build` unless dist/ holds what the sources are. Ends the process when they do not compile. What counts is
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
    for (const folder of PACKAGES) await buildPackage(folder, types);
    removeLeftOvers('dist', '.');
    const project = types ? 'tsconfig.build.json' : 'tsconfig.unchecked.json';
    await compile('node_modules/@nestjs/cli/bin/nest.js', 'build', '--path', project);
    writeFileSync(STAMP, stamp);
  });
}

const isBuilt = () => existsSync(MAIN) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === currentStamp();

async function buildPackage(folder, types) {
  removeLeftOvers(`${folder}/dist`, `${folder}/src`);
  const check = types ? [] : ['--noCheck'];
  // @plinth/dev has one for the build alone: elsewhere its sources are read with those of the base.
  const own = `${folder}/tsconfig.build.json`;
  const project = existsSync(inRoot(own)) ? own : folder;
  await compile('node_modules/typescript/bin/tsc', '-p', project, ...check);
  const commonjs = `${folder}/tsconfig.cjs.json`;
  if (!existsSync(inRoot(commonjs))) return;
  await compile('node_modules/typescript/bin/tsc', '-p', commonjs, ...check);
  writeFileSync(inRoot(folder, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
}

/** Runs a compiler; ends the process when it fails. */
async function compile(program, ...args) {
  const { code } = await runNode([inRoot(program), ...args]);
  if (code === 0) return;
  console.error('the sources do not compile: see above');
  process.exit(code);
}

/** Removes what was compiled of files that are gone: it would still be found, an entity for one. */
function removeLeftOvers(compiled, sources) {
  for (const file of filesBelow(compiled, /\.js$/)) {
    const source = file.replace(compiled, sources).replace(/\.js$/, '.ts');
    if (!existsSync(inRoot(source))) rmSync(inRoot(file));
  }
}

function currentStamp() {
  const configuration = ['.', ...PACKAGES].flatMap((folder) =>
    readdirSync(inRoot(folder))
      .filter((name) => CONFIGURATION.test(name))
      .map((name) => join(folder, name)),
  );
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
