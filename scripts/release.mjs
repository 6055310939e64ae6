/**
 * `npm run release -- <major|minor|patch|x.y.z> [--dry-run]`: writes a version to package.json, its lock, the client and the
 * changelog, takes the surface of the API for the released one, then rebuilds what carries it, and prints the commands that commit, tag and publish. A dry run prints what would
 * change and writes nothing.
 */
import './lib/node-version.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot, root } from './lib/paths.mjs';
import { run, runNode } from './lib/run.mjs';

const MANIFESTS = ['package.json', 'package-lock.json', 'clients/typescript/package.json'];
const CHANGELOG = 'CHANGELOG.md';
const SURFACE = 'docs/api-surface.txt';
/** What `test/architecture/api-surface.test.ts` compares later changes with. */
const RELEASED_SURFACE = 'docs/api-surface.released.txt';

process.chdir(root);
const words = process.argv.slice(2);
const isDry = words.includes('--dry-run');
const [step, ...more] = words.filter((word) => word !== '--dry-run');
const current = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).version;
const version = step === undefined || more.length > 0 ? undefined : nextVersion(current, step);
if (version === undefined) fail('takes major, minor, patch or a version such as 1.2.3', 2);
const status = await run('git', ['status', '--porcelain'], { quiet: true });
if (!isDry && status.output !== '') fail('there are changes that are not committed', 1);

const changes = [
  ...MANIFESTS.map((file) => [file, withVersion(file)]),
  [CHANGELOG, released()],
  [RELEASED_SURFACE, readFileSync(inRoot(SURFACE), 'utf8')],
];
for (const [file, text] of changes) {
  const before = readFileSync(inRoot(file), 'utf8').split('\n');
  console.log(`${file}:`);
  for (const line of text.split('\n').filter((each) => !before.includes(each)))
    console.log(`  + ${line.trim()}`);
  if (!isDry) writeFileSync(inRoot(file), text);
}
if (!isDry) {
  for (const script of ['openapi.mjs', 'client.mjs', 'manifests.mjs']) {
    const { code } = await runNode([inRoot('scripts', script)]);
    if (code !== 0) fail(`scripts/${script} failed`, 1);
  }
}
console.log(`
${isDry ? 'Would be written; then' : 'Written. Now'}:
  git commit -am "Release ${version}" && git tag -a v${version} -m "Release ${version}"
  npm run --silent sbom > sbom-${version}.json
  docker build -t service:${version} -t service:${version.replace(/\.\d+$/, '')} .
  npm publish clients/typescript`);

function nextVersion(from, to) {
  if (/^\d+\.\d+\.\d+$/.test(to)) return to;
  const [major, minor, patch] = from.split('.').map(Number);
  return {
    major: `${major + 1}.0.0`,
    minor: `${major}.${minor + 1}.0`,
    patch: `${major}.${minor}.${patch + 1}`,
  }[to];
}

/** A manifest with the new version in place of the current one; of a lock file, its own entries. */
function withVersion(file) {
  const text = readFileSync(inRoot(file), 'utf8');
  const manifest = JSON.parse(text);
  manifest.version = version;
  if (manifest.packages?.['']) manifest.packages[''].version = version;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The changelog with a heading of the release above what was unreleased. */
function released() {
  const text = readFileSync(inRoot(CHANGELOG), 'utf8');
  const [, notes = ''] = /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m.exec(text) ?? [];
  if (notes.trim() === '') fail(`${CHANGELOG} has nothing under "Unreleased"`, 1);
  const day = new Date().toISOString().slice(0, 10);
  return text.replace('## Unreleased\n', `## Unreleased\n\n## ${version} – ${day}\n`);
}

function fail(reason, code) {
  console.error(reason);
  process.exit(code);
}
