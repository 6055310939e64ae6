/**
 * Creates template/ before the package is packed: the application of this repository as a separate project. Its lock
 * file is the lock file of the repository, with the hashes of the other packages, which must be in the destination
 * folder.
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
  '.node-version',
  'docs/api-surface.txt',
  'compose.production.yaml',
];
const COPIED = ['src', 'seed', 'deploy', ...FILES];
const SOURCES = ['src', 'seed', 'ormconfig.ts'];

const read = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));
const write = (name, value) => writeFileSync(join(template, name), `${JSON.stringify(value, null, 2)}\n`);

/** Whether to copy a file. Leaves out tests that import files of the base, and the secrets of the person who packs. */
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

/** Writes package.json with the packages of the overlay, in the versions of the repository. */
function writeManifest() {
  const manifest = read(template, 'package.json');
  const versions = { ...own.dependencies, ...own.devDependencies };
  // Minor releases are compatible even before 1.0.0, but `^0.x` would not accept them.
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
    // A dependency in packages/<name>/node_modules belongs to node_modules/@plinth/<name>/node_modules of the project.
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

/**
 * Adds the address of the tarball, so that npm need not ask the registry for the address. Packages of the scope @plinth
 * get no address, because they may come from another registry.
 */
function addAddress(path, entry) {
  const name = entry.name ?? path.replace(/^.*node_modules\//, '');
  if (path === '' || entry.resolved || name.startsWith('@plinth/')) return;
  entry.resolved = `https://registry.npmjs.org/${name}/-/${name.replace(/^.*\//, '')}-${entry.version}.tgz`;
}
