/**
 * `npm run release -- <major|minor|patch|x.y.z> (--base=<image@sha256:…> | --no-image) [--dry-run]`: writes a version
 * to package.json, its lock, the client and the changelog, takes the surface of the API for the released one, pins the
 * base of the image, rebuilds what carries the version, and prints the commands that commit, tag and publish. A dry run
 * prints what would change and writes nothing.
 *
 * An image is released on a base that cannot change any more: `docker buildx imagetools inspect node:24-slim` prints
 * its digest. `--base` can be left out where the Dockerfile has one, and `--no-image` releases everything but the
 * image.
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
const DOCKERFILE = 'Dockerfile';
const BASE = /^ARG NODE=(.*)$/m;
const PINNED = /^[\w./:-]+@sha256:[0-9a-f]{64}$/;

process.chdir(root);
const words = process.argv.slice(2);
const isDry = words.includes('--dry-run');
const hasImage = !words.includes('--no-image');
const base = words.find((word) => word.startsWith('--base='))?.slice('--base='.length);
const [step, ...more] = words.filter((word) => !/^--(?:dry-run$|no-image$|base=)/.test(word));
const current = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).version;
const version = step === undefined || more.length > 0 ? undefined : nextVersion(current, step);
if (version === undefined) fail('takes major, minor, patch or a version such as 1.2.3', 2);
const status = await run('git', ['status', '--porcelain'], { quiet: true });
if (!isDry && status.output !== '') fail('there are changes that are not committed', 1);

const dockerfile = withBase();
const changes = [
  ...MANIFESTS.map((file) => [file, withVersion(file)]),
  [CHANGELOG, released()],
  [RELEASED_SURFACE, readFileSync(inRoot(SURFACE), 'utf8')],
  ...(dockerfile === undefined ? [] : [[DOCKERFILE, dockerfile]]),
];
for (const [file, text] of changes) {
  const before = readFileSync(inRoot(file), 'utf8').split('\n');
  console.log(`${file}:`);
  for (const line of text.split('\n').filter((each) => !before.includes(each)))
    console.log(`  + ${line.trim()}`);
  if (!isDry) writeFileSync(inRoot(file), text);
}
if (!isDry) {
  for (const script of ['client.mjs', 'manifests.mjs']) {
    const { code } = await runNode([inRoot('scripts', script)]);
    if (code !== 0) fail(`scripts/${script} failed`, 1);
  }
}
console.log(`
${isDry ? 'Would be written; then' : 'Written. Now'}:
  git commit -am "Release ${version}" && git tag -a v${version} -m "Release ${version}"
  npm run --silent sbom > sbom-${version}.json${
    hasImage
      ? `
  docker build -t service:${version} -t service:${version.replace(/\.\d+$/, '')} .
  docker push …  # after docker tag, to your registry`
      : ''
  }
  npm publish clients/typescript
  git push --follow-tags`);

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

/** The Dockerfile on a base that is named by its digest; `undefined`: no image is released. */
function withBase() {
  if (!hasImage) return undefined;
  const text = readFileSync(inRoot(DOCKERFILE), 'utf8');
  const image = base ?? BASE.exec(text)?.[1] ?? '';
  if (!PINNED.test(image)) {
    const got = JSON.stringify(image);
    fail(
      `the image's base is ${got}, takes one with its digest: --base=node:24-slim@sha256:…, as \`docker buildx imagetools inspect node:24-slim\` prints it; or --no-image`,
      1,
    );
  }
  return text.replace(BASE, `ARG NODE=${image}`);
}

function fail(reason, code) {
  console.error(reason);
  process.exit(code);
}
