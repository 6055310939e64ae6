import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { surfaceOf, SurfaceDocument } from '../openapi/surface.js';
import { Command, readArguments } from './command.js';
import { BuildOptions, ProjectApp, withProjectApp } from './project-app.js';

const USAGE = `plinth openapi [--no-build]

Writes the OpenAPI document of all versions to dist/openapi.json, as the service answers /docs/openapi.json with its
default settings, and what clients depend on, a line for each operation, schema and error, to docs/api-surface.txt.

  --no-build   takes dist/ as it is`;

interface DocumentedApp extends Pick<ProjectApp, 'nest'> {
  readonly config: Pick<ProjectApp['config'], 'host' | 'port'>;
}

/** @returns the OpenAPI document of an application, as text */
export async function readDocument({ nest, config }: DocumentedApp): Promise<string> {
  const server = nest.getHttpAdapter().getInstance();
  const host = `${config.host}:${config.port}`;
  const { statusCode, body } = await server.inject({ url: '/docs/openapi.json', headers: { host } });
  if (statusCode !== 200) throw new Error(`The service answers its document with ${statusCode}:\n${body}`);
  return body;
}

/** Builds the project, unless told that it is current, and returns its OpenAPI document as text. */
export const buildDocument = (root: string, options: BuildOptions): Promise<string> =>
  withProjectApp(root, options, readDocument);

async function run(root: string, args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, { 'no-build': { type: 'boolean' } });
  if (positionals.length > 0) throw new Error('plinth openapi takes no arguments but options.');
  const text = await buildDocument(root, values);
  const surface = join(root, 'docs/api-surface.txt');
  mkdirSync(dirname(surface), { recursive: true });
  writeFileSync(join(root, 'dist/openapi.json'), text);
  writeFileSync(surface, `${surfaceOf(JSON.parse(text) as SurfaceDocument).join('\n')}\n`);
  process.stdout.write('wrote dist/openapi.json and docs/api-surface.txt\n');
}

export const command: Command = { usage: () => USAGE, run };
