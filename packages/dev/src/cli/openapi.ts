import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { surfaceOf, SurfaceDocument } from '../openapi/surface.js';
import { Command, readArguments, say } from './command.js';
import { BuildOptions, ProjectApp, withProjectApp } from './project-app.js';

const USAGE = `plinth openapi [--no-build]

Writes two files:
- dist/openapi.json: the OpenAPI document of all versions, as /docs/openapi.json shows it with the default settings
- docs/api-surface.txt: what clients depend on, with a line for each operation, schema and error

  --no-build   uses dist/ as it is`;

interface DocumentedApp extends Pick<ProjectApp, 'nest'> {
  readonly config: Pick<ProjectApp['config'], 'host' | 'port'>;
}

/** Returns the OpenAPI document of an application as text. */
export async function readDocument({ nest, config }: DocumentedApp): Promise<string> {
  const server = nest.getHttpAdapter().getInstance();
  const host = `${config.host}:${config.port}`;
  const { statusCode, body } = await server.inject({ url: '/docs/openapi.json', headers: { host } });
  if (statusCode !== 200) throw new Error(`GET /docs/openapi.json failed with ${statusCode}:\n${body}`);
  return body;
}

/** Builds the project, unless the option `no-build` is set, and returns its OpenAPI document as text. */
export const buildDocument = (root: string, options: BuildOptions): Promise<string> =>
  withProjectApp(root, options, readDocument);

async function run(root: string, args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, { 'no-build': { type: 'boolean' } });
  if (positionals.length > 0) throw new Error('plinth openapi must not have arguments, only options.');
  const text = await buildDocument(root, values);
  const surface = join(root, 'docs/api-surface.txt');
  mkdirSync(dirname(surface), { recursive: true });
  writeFileSync(join(root, 'dist/openapi.json'), text);
  writeFileSync(surface, `${surfaceOf(JSON.parse(text) as SurfaceDocument).join('\n')}\n`);
  say('wrote dist/openapi.json and docs/api-surface.txt');
}

export const command: Command = { usage: () => USAGE, run };
