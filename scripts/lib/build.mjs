import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './alone.mjs';
import { inRoot, root } from './paths.mjs';
import { runNode } from './run.mjs';

export const MAIN = inRoot('dist/src/main.js');
const STAMP = inRoot('dist/.stamp');
/** The packages that are built. */
const PACKAGES = ['packages/core', 'packages/client', 'packages/dev'];
/** The TypeScript projects of the packages. The project of @plinth/dev references the base, so it is compiled last. */
const PROJECTS = [
  'packages/core',
  'packages/client',
  'packages/client/tsconfig.cjs.json',
  'packages/dev/tsconfig.build.json',
];
const COMPILED = ['core/dist', 'client/dist/esm', 'client/dist/cjs', 'dev/dist'];
const SOURCES = ['src', 'seed', ...PACKAGES.map((folder) => `${folder}/src`)];
const CONFIGURATION = /^(tsconfig.*\.json|nest-cli\.json|ormconfig\.ts|package(-lock)?\.json)$/;

/**
 * Compiles the packages and runs `nest build`, unless dist/ matches the sources. Exits if the sources do not compile.
 * Compares the contents of files, not their times, so a switch to another branch and back builds nothing.
 *
 * @param options.types whether to check types, which takes half of the time. Set it to false if another check does this
 */
export async function ensureBuilt({ force = false, types = true } = {}) {
  if (!force && isBuilt()) return;
  await alone('build', async () => {
    if (!force && isBuilt()) return;
    console.log('building…');
    const stamp = currentStamp();
    rmSync(STAMP, { force: true });
    for (const folder of COMPILED)
      removeLeftOvers(`packages/${folder}`, `packages/${folder.replace(/dist.*/, 'src')}`);
    removeLeftOvers('dist', '.');
    // One process for all projects, so that it reads common files only once.
    await compile('node_modules/typescript/bin/tsc', '-b', ...PROJECTS, ...(types ? [] : ['--noCheck']));
    writeFileSync(inRoot('packages/client/dist/cjs/package.json'), '{ "type": "commonjs" }\n');
    const project = types ? 'tsconfig.build.json' : 'tsconfig.unchecked.json';
    await compile('node_modules/@nestjs/cli/bin/nest.js', 'build', '--path', project);
    writeFileSync(STAMP, stamp);
  });
}

const isBuilt = () => existsSync(MAIN) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === currentStamp();

/** Runs a compiler. Exits if it fails. */
async function compile(program, ...args) {
  const { code } = await runNode([inRoot(program), ...args]);
  if (code === 0) return;
  console.error('the sources do not compile: see above');
  process.exit(code);
}

/** Removes compiled files without a source. Otherwise a deleted entity, for example, would still be found. */
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
