import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { alone } from './alone.mjs';
import { inRoot, root, TSC } from './paths.mjs';
import { runNode } from './run.mjs';

export const MAIN = inRoot('dist/src/main.js');
export const STAMP = inRoot('dist/.stamp');
/** Folders whose TypeScript is compiled into dist/. */
const SOURCES = ['src', 'packages', 'tools'];
/** Folders of files that the service reads beside its code. */
const ASSETS = ['src/docs/guides', 'src/docs/scalar'];
const CONFIGURATION = /^(tsconfig.*\.json|package-lock\.json)$/;

/**
 * Compiles `SOURCES` into dist/ unless dist/ holds just that. Ends the process when they do not compile.
 * What counts is the content of the files, so a checkout back and forth builds nothing.
 *
 * @param options.types whether types are checked: half of the work, and left out where another check does it
 */
export async function ensureBuilt({ force = false, types = true } = {}) {
  if (!force && isBuilt()) return;
  await alone('build', async () => {
    if (!force && isBuilt()) return;
    console.log('building…');
    const stamp = currentStamp();
    prepareOutput();
    const { code } = await runNode([TSC, '-p', 'tsconfig.build.json', ...(types ? [] : ['--noCheck'])]);
    if (code !== 0) {
      console.error('the sources do not compile: see above');
      process.exit(code);
    }
    copyAssets();
    writeFileSync(STAMP, stamp);
  });
}

export function copyAssets() {
  for (const folder of ASSETS) cpSync(inRoot(folder), inRoot(`dist/${folder}`), { recursive: true });
}

const isBuilt = () => existsSync(MAIN) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === currentStamp();

/** Outputs of files that are gone would still be found, migrations for one; the compiler's memory must match dist/. */
export function prepareOutput() {
  rmSync(STAMP, { force: true });
  if (!existsSync(MAIN)) rmSync(inRoot('dist'), { recursive: true, force: true });
  for (const file of SOURCES.flatMap((folder) => filesBelow(`dist/${folder}`, /\.js$/))) {
    if (existsSync(inRoot(file.replace(/^dist\/(.*)\.js$/, '$1.ts')))) continue;
    rmSync(inRoot(file));
    rmSync(inRoot(`${file}.map`), { force: true });
  }
}

function currentStamp() {
  const configuration = readdirSync(root).filter((name) => CONFIGURATION.test(name));
  const sources = SOURCES.flatMap((folder) => filesBelow(folder, /(?<!\.test)\.ts$/));
  const assets = ASSETS.flatMap((folder) => filesBelow(folder, /./));
  const files = [...sources, ...assets, ...configuration].sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(inRoot(file)));
  return hash.digest('hex');
}

function filesBelow(folder, pattern) {
  if (!existsSync(inRoot(folder))) return [];
  return readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(path, pattern);
    return pattern.test(path) ? [path] : [];
  });
}
