/**
 * `npm run release -- <major|minor|patch|x.y.z>` gives all packages the same version, and packs them into
 * releases/<version>/, with the files that list their public API. It refuses a minor or patch release that removes or
 * changes a line of these files.
 */
import './lib/node-version.mjs';
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ensureInstalled } from './lib/install.mjs';
import { PACKAGES, byVersion, packAll, parts, releases } from './lib/pack.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

/** The files that list what clients and teams can rely on, with a line for each promise. */
const SURFACES = ['docs/api-surface.txt', 'packages/core/public-api.txt'];

const read = (path) => readFileSync(inRoot(path), 'utf8');

process.chdir(root);
await ensureInstalled();
const { output: changed } = await run('git', ['status', '--porcelain'], { quiet: true });
if (changed) fail(`A release packs all files in the folders. Commit or remove these first:\n\n${changed}`);
const last = releases().at(-1);
const version = nextVersion(process.argv[2] ?? '');
await npm('run', 'openapi');
refuseBreaking();
writeVersion();
await npm('install', '--package-lock-only', '--ignore-scripts');
await npm('run', 'client');
// Uses a draft, so that the folder of a release is always complete.
const draft = inRoot('releases', '.draft');
rmSync(draft, { recursive: true, force: true });
await packAll(draft);
for (const path of SURFACES) copyFileSync(path, `${draft}/${basename(path)}`);
renameSync(draft, inRoot('releases', version));
console.log(`
releases/${version}/ holds the packages. Look at the changes, then:

  git add -A && git commit -m "Release ${version}" && git tag v${version}
  cd releases/${version} && npm publish plinth-core-*.tgz && npm publish plinth-client-*.tgz &&
    npm publish plinth-dev-*.tgz && npm publish create-plinth-*.tgz`);

function nextVersion(asked) {
  if (/^\d+\.\d+\.\d+$/.test(asked) && (!last || byVersion(asked, last) > 0)) return asked;
  const [major, minor, patch] = parts(last ?? '0.0.0');
  const all = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] };
  const next = all[asked];
  if (!next)
    fail(`The version must be major, minor, patch, or a version above ${last ?? '0.0.0'} (got "${asked}").`);
  return next.join('.');
}

/** Exits if a line of the surfaces was removed or changed. Additional lines are allowed. */
function refuseBreaking() {
  if (!last || parts(last)[0] < parts(version)[0]) return;
  const gone = SURFACES.flatMap((path) => {
    const kept = new Set(promises(read(path)));
    const before = promises(read(`releases/${last}/${basename(path)}`));
    return before.filter((line) => !kept.has(line)).map((line) => `  ${path}: ${line}`);
  });
  if (gone.length === 0) return;
  fail(
    `${version} would remove or change promises of ${last}, which only a major release may do:\n\n${gone.join('\n')}`,
  );
}

/**
 * Returns the lines of a surface. An indented line is a member. It is prefixed with the line of its class, because
 * several classes have members with the same name.
 */
function promises(text) {
  let above = '';
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    if (line.startsWith(' ')) return [`${above} ›${line}`];
    above = line;
    return [line];
  });
}

function writeVersion() {
  const day = new Date().toISOString().slice(0, 10);
  for (const folder of ['', ...PACKAGES.map((name) => `packages/${name}/`)]) {
    change(`${folder}CHANGELOG.md`, /^## Unreleased\n\n/m, `## Unreleased\n\n## ${version} – ${day}\n\n`);
    // The packages of a release work only with each other.
    const versions = /("(?:version|@plinth\/(?:core|client|dev))": )"[^"]+"/g;
    change(`${folder}package.json`, versions, `$1"${version}"`);
  }
  for (const folder of ['', 'packages/create/'])
    change(`${folder}README.md`, /(?<=releases\/|create-plinth-)\d+\.\d+\.\d+/g, version);
  for (const name of ['deployment', 'migrations'])
    change(`deploy/kubernetes/${name}.yaml`, /image: service:\S+/, `image: service:${version}`);
  const job = `service-migrations-${version.replaceAll('.', '-')}`;
  change('deploy/kubernetes/migrations.yaml', /service-migrations-[\d-]+/, job);
}

function change(path, pattern, replacement) {
  const text = read(path);
  if (text.search(pattern) < 0)
    fail(`${path} does not contain ${pattern}. Undo the changes with "git restore .".`);
  writeFileSync(inRoot(path), text.replace(pattern, replacement));
}

async function npm(...args) {
  const { code, output } = await run('npm', args, { quiet: true });
  if (code !== 0) fail(`npm ${args.join(' ')} failed:\n${output}`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
