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
/** Their projects. That of @plinth/dev is for the build, and refers to the base, after which it is compiled: elsewhere both are read as one. */
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
    for (const folder of COMPILED)
      removeLeftOvers(`packages/${folder}`, `packages/${folder.replace(/dist.*/, 'src')}`);
    removeLeftOvers('dist', '.');
    // In one process, which reads what they have in common once.
    await compile('node_modules/typescript/bin/tsc', '-b', ...PROJECTS, ...(types ? [] : ['--noCheck']));
    writeFileSync(inRoot('packages/client/dist/cjs/package.json'), '{ "type": "commonjs" }\n');
    const project = types ? 'tsconfig.build.json' : 'tsconfig.unchecked.json';
    await compile('node_modules/@nestjs/cli/bin/nest.js', 'build', '--path', project);
    writeFileSync(STAMP, stamp);
  });
}

const isBuilt = () => existsSync(MAIN) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === currentStamp();

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
