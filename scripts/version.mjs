/**
 * `npm version <major|minor|patch|x.y.z>` calls it with the new version in package.json, and commits and tags after it:
 * the packages, the client, the manifests and the changelog take that version.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

function change(file, pattern, replacement) {
  const text = readFileSync(file, 'utf8');
  if (!pattern.test(text)) throw new Error(`${file} has nothing like ${pattern}`);
  writeFileSync(file, text.replace(pattern, replacement));
}

const day = new Date().toISOString().slice(0, 10);
change('CHANGELOG.md', /^## Unreleased\n\n/m, `## Unreleased\n\n## ${version} – ${day}\n\n`);
for (const name of ['core', 'client', 'dev']) {
  change(`packages/${name}/package.json`, /"version": "[^"]+"/, `"version": "${version}"`);
  change('package.json', new RegExp(`"@plinth/${name}": "[^"]+"`), `"@plinth/${name}": "${version}"`);
}
for (const name of ['deployment', 'migrations'])
  change(`deploy/kubernetes/${name}.yaml`, /image: service:\S+/, `image: service:${version}`);
change(
  'deploy/kubernetes/migrations.yaml',
  /service-migrations-[\d-]+/,
  `service-migrations-${version.replaceAll('.', '-')}`,
);
