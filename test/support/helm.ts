import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { EXAMPLE } from '../../tools/kubernetes/deployments.js';

/** A template of the chart, filled with its own values. The chart uses no more of Helm's language than this. */
export function rendered(template: string): string {
  const values = parse(readFileSync('deploy/helm/values.yaml', 'utf8')) as Record<string, unknown>;
  return readFileSync(template, 'utf8')
    .replaceAll('{{ .Release.Name }}', EXAMPLE.name)
    .replaceAll('{{ .Release.Revision }}', EXAMPLE.release)
    .replaceAll(/\{\{ \.Values\.(\w+)(?: \| int)? \}\}/g, (_, key: string) => String(values[key]));
}
