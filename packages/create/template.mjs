/**
 * Before the package is packed: makes template/, the application of this repository as a project of its own. Its lock
 * file is the repository's, with the packages that were packed into the same folder before, by their integrity.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const template = join(import.meta.dirname, 'template');
const packed = process.env.npm_config_pack_destination;
const PACKAGES = ['core', 'client', 'dev'];
const FILES = [
  'nest-cli.json',
  'ormconfig.ts',
  '.env.example',
  'docs/api-surface.txt',
  'compose.production.yaml',
];
const COPIED = ['src', 'seed', 'deploy', ...FILES];
const SOURCES = ['src', 'seed', 'ormconfig.ts'];

const read = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));
const write = (name, value) => writeFileSync(join(template, name), `${JSON.stringify(value, null, 2)}\n`);

/** Tests of the base's own parts stay here, and secrets of whoever packs. */
const isProjects = (path) =>
  !path.includes(join('deploy', 'secrets')) &&
  (!path.endsWith('.test.ts') || !readFileSync(path, 'utf8').includes('packages/core'));
const copy = (from, to) =>
  cpSync(join(root, from), join(template, to), { recursive: true, filter: isProjects });

const own = read(root, 'package.json');
const lock = read(root, 'package-lock.json');
rmSync(template, { recursive: true, force: true });
mkdirSync(template);
for (const name of COPIED) copy(name, name);
copy('test/application', 'test/e2e');
copy('packages/create/overlay', '.');
writeTsconfigs();
writeManifest();
writeLock();

function writeTsconfigs() {
  const { compilerOptions } = read(root, 'tsconfig.json');
  delete compilerOptions.customConditions;
  write('tsconfig.json', { compilerOptions, include: [...SOURCES, 'test'] });
  const build = read(root, 'tsconfig.build.json');
  delete build.compilerOptions.customConditions;
  write('tsconfig.build.json', { ...build, include: SOURCES });
}

/** The overlay says which packages, the repository which versions. */
function writeManifest() {
  const manifest = read(template, 'package.json');
  const versions = { ...own.dependencies, ...own.devDependencies };
  // Minor releases keep their promises before 1.0.0 too, which `^` does not know.
  const range = own.version.startsWith('0.') ? `>=${own.version} <1.0.0` : `^${own.version}`;
  const versionOf = (name) => (name.startsWith('@plinth/') ? range : versions[name]);
  const resolve = (names) => Object.fromEntries(names.map((name) => [name, versionOf(name)]));
  manifest.dependencies = resolve(Object.keys(own.dependencies));
  manifest.devDependencies = resolve(Object.keys(manifest.devDependencies));
  write('package.json', { name: 'project', productName: 'Project', ...manifest });
}

function writeLock() {
  const { name, version, dependencies, devDependencies } = read(template, 'package.json');
  const packages = { '': { name, version, dependencies, devDependencies } };
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || entry.link || PACKAGES.some((name) => path === `packages/${name}`)) continue;
    // What a workspace has for itself is below its package.
    packages[path.replace(/^packages\//, 'node_modules/@plinth/')] = entry;
  }
  for (const name of PACKAGES) packages[`node_modules/@plinth/${name}`] = packedEntry(name);
  write('package-lock.json', {
    name,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages,
  });
  const options = ['--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options], {
    cwd: template,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const pruned = read(template, 'package-lock.json');
  for (const [path, entry] of Object.entries(pruned.packages)) addAddress(path, entry);
  write('package-lock.json', pruned);
}

function packedEntry(name) {
  const { version, license, dependencies, peerDependencies, engines, bin } = read(
    root,
    'packages',
    name,
    'package.json',
  );
  const file = join(packed ?? '', `plinth-${name}-${version}.tgz`);
  if (!packed || !existsSync(file)) throw new Error(`${file} is missing: npm run release packs all packages`);
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  return { version, integrity, license, dependencies, peerDependencies, engines, bin };
}

/** npm asks for the list of versions of what has none. Ours may come from the registry of their scope, which npm then knows. */
function addAddress(path, entry) {
  const name = entry.name ?? path.replace(/^.*node_modules\//, '');
  if (path === '' || entry.resolved || name.startsWith('@plinth/')) return;
  entry.resolved = `https://registry.npmjs.org/${name}/-/${name.replace(/^.*\//, '')}-${entry.version}.tgz`;
}
