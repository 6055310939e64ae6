import { readdirSync, readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { VARIABLES } from '../../src/config/variables.js';
import { deploymentFiles, EXAMPLE } from '../../tools/kubernetes/deployments.js';
import { manifests } from '../../tools/kubernetes/manifests.js';
import { rendered } from '../support/helm.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const files = deploymentFiles(version);

describe('O4 deploy/kubernetes and deploy/helm', () => {
  it.each(files.map(({ path, text }) => [path, text]))(
    '%s is as `npm run manifests` writes it',
    (path, text) => {
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('hold nothing else', () => {
    const there = ['deploy/kubernetes', 'deploy/helm'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => `${parentPath}/${name}`),
    );
    expect(there.sort()).toEqual(files.map(({ path }) => path).sort());
  });

  it('the chart with its own values is what the manifests are', () => {
    for (const [name, manifest] of Object.entries(manifests(EXAMPLE))) {
      const { metadata, ...rest } = parse(rendered(`deploy/helm/templates/${name}.yaml`)) as {
        metadata: { annotations?: object };
      };
      delete metadata.annotations;
      expect({ ...rest, metadata }).toEqual(JSON.parse(JSON.stringify(manifest)));
    }
  });

  it('set variables that there are', () => {
    const names = [...JSON.stringify(manifests(EXAMPLE)).matchAll(/\{"name":"([A-Z_]+)"/g)].map(
      ([, name = '']) => name,
    );
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect(VARIABLES).toHaveProperty(name.replace(/_FILE$/, ''));
  });
});
