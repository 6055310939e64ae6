import { stringify } from 'yaml';

import { ProjectFile } from '../project-files.js';
import { Installation, manifests } from './manifests.js';

const KUBERNETES = 'deploy/kubernetes';
const CHART = 'deploy/helm';
const WRITTEN = '# Written by `npm run manifests` from tools/kubernetes/manifests.ts.\n';

/** An installation to start from. */
export const EXAMPLE: Installation = {
  name: 'service',
  image: 'service:0.1.0',
  release: '0-1-0',
  minReplicas: 2,
  maxReplicas: 10,
  adminEmail: 'admin@example.com',
  trustProxy: '10.0.0.0/8',
  redisUrl: 'redis://redis:6379',
  secret: 'service',
  ownerSecret: 'service-owner',
};

/** Values of a chart that come from elsewhere than its `values.yaml`. */
const BUILT_IN: Partial<Record<keyof Installation, string>> = {
  name: '{{ .Release.Name }}',
  release: '{{ .Release.Revision }}',
};

/** The same with the values of a chart in place of its own. Numbers are marked, see `unquoted`. */
function templated(): Installation {
  const entries = Object.entries(EXAMPLE).map(([key, value]) => [
    key,
    BUILT_IN[key as keyof Installation] ?? `{{ .Values.${key}${typeof value === 'number' ? ' | int' : ''} }}`,
  ]);
  return Object.fromEntries(entries) as Installation;
}

/** Numbers of a chart stand without quotes. */
const unquoted = (yaml: string): string => yaml.replaceAll(/["'](\{\{ [^}]* \| int \}\})["']/g, '$1');

/** Kubernetes manifests and a Helm chart, both of `manifests()`. @param version of the chart */
export function deploymentFiles(version: string): ProjectFile[] {
  const options = { lineWidth: 0, aliasDuplicateObjects: false };
  const plain = Object.entries(manifests(EXAMPLE)).map(([name, manifest]) => ({
    path: `${KUBERNETES}/${name}.yaml`,
    text: WRITTEN + stringify(manifest, options),
  }));
  const templates = Object.entries(manifests(templated())).map(([name, manifest]) => ({
    path: `${CHART}/templates/${name}.yaml`,
    text: WRITTEN + unquoted(stringify(withHooks(name, manifest), options)),
  }));
  const values = Object.fromEntries(Object.entries(EXAMPLE).filter(([key]) => !(key in BUILT_IN)));
  const chart = {
    apiVersion: 'v2',
    name: 'service',
    description: 'The service.',
    type: 'application',
    version,
    appVersion: version,
  };
  return [
    ...plain,
    ...templates,
    { path: `${CHART}/values.yaml`, text: WRITTEN + stringify(values, options) },
    { path: `${CHART}/Chart.yaml`, text: WRITTEN + stringify(chart, options) },
  ];
}

/** The job runs before whatever else a release changes. */
function withHooks(name: string, manifest: object): object {
  if (name !== 'migrations') return manifest;
  const { metadata, ...rest } = manifest as { metadata: object };
  const annotations = {
    'helm.sh/hook': 'pre-install,pre-upgrade',
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  };
  return { ...rest, metadata: { ...metadata, annotations } };
}
