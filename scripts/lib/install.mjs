import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { alone } from './alone.mjs';
import { inRoot } from './paths.mjs';
import { run, runNode } from './run.mjs';

/** Installs the packages of package-lock.json, unless they are installed already. Exits if npm fails. */
export async function ensureInstalled() {
  if (!unlike()) return;
  await alone('install', async () => {
    if (!unlike()) return;
    console.log(`installing packages: ${unlike()} differs from package-lock.json…`);
    const { code } = await npm(['ci', ...WHOLE, '--no-audit', '--no-fund', '--loglevel=error']);
    if (code === 0) return;
    console.error('the packages could not be installed: see what npm says above');
    process.exit(code);
  });
}

/**
 * Overrides NODE_ENV=production and npm's `omit`. Otherwise npm could skip the compiler, or native parts of packages.
 */
const WHOLE = ['--include=dev', '--include=optional', '--include=peer'];

/**
 * Compares package-lock.json with the list of packages that npm writes at the end of an installation. This finds an
 * incomplete installation, packages of another branch, and missing development packages. Ignores missing optional
 * packages, which are for other platforms.
 *
 * @returns the path of the first package that is missing or different, or `undefined`
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

/** Runs the npm that started this script, or else the one on the path. */
function npm(args) {
  const path = process.env.npm_execpath ?? '';
  return basename(path) === 'npm-cli.js' ? runNode([path, ...args]) : run('npm', args);
}
