import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { alone } from './alone.mjs';
import { inRoot } from './paths.mjs';
import { run, runNode } from './run.mjs';

/** Installs what package-lock.json says unless it is installed already; ends the process when npm fails. */
export async function ensureInstalled() {
  if (!unlike()) return;
  await alone('install', async () => {
    if (!unlike()) return;
    console.log(`installing packages: ${unlike()} is not as package-lock.json has it…`);
    const { code } = await npm(['ci', ...WHOLE, '--no-audit', '--no-fund', '--loglevel=error']);
    if (code === 0) return;
    console.error('the packages could not be installed: see what npm says above');
    process.exit(code);
  });
}

/** NODE_ENV=production or npm's omit settings would leave out the compiler, or the native halves of packages. */
const WHOLE = ['--include=dev', '--include=optional', '--include=peer'];

/**
 * npm ends an installation by writing down what it has installed, so comparing that with package-lock.json is exact:
 * a half-done installation, another branch's packages or one without development packages all show. Optional
 * packages are those of other platforms.
 *
 * @returns the path of the first package that is missing or another one; `undefined` if all are there
 */
function unlike() {
  const wanted = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  const [other] =
    Object.entries(wanted).find(([path, { version, integrity, optional }]) => {
      if (path === '') return false;
      const found = present[path];
      if (!found) return !optional;
      return found.version !== version || found.integrity !== integrity || !existsSync(inRoot(path));
    }) ?? [];
  return other;
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(inRoot(file), 'utf8')).packages ?? {};
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

/** The npm that runs this script, else the one on the path. */
function npm(args) {
  const path = process.env.npm_execpath ?? '';
  return basename(path) === 'npm-cli.js' ? runNode([path, ...args]) : run('npm', args);
}
