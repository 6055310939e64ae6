import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { createApp, createLogger, readConfig } from '@plinth/core/dev';

import { withEmptyDatabase } from '../migrations/scratch.js';
import { surfaceOf, SurfaceDocument } from '../openapi/surface.js';
import { Command, readArguments } from './command.js';
import { buildProject, loadAppModule } from './project.js';

const USAGE = `plinth openapi [--no-build]

Writes the OpenAPI document of all versions to dist/openapi.json, as the service answers /docs/openapi.json with its
default settings, and what clients depend on, a line for each operation, schema and error, to docs/api-surface.txt.

  --no-build   takes dist/ as it is`;

/** Signs nothing: the service takes no request but the one for its document. */
const UNUSED_SECRET = 'only to build the OpenAPI document, for no token';

/**
 * Builds the project unless told that it is current, and its OpenAPI document, as text. The service does not listen. Its
 * database is one without tables, made for the purpose: modules connect as they start.
 */
export async function buildDocument(root: string, options: { 'no-build'?: boolean }): Promise<string> {
  buildProject(root, options);
  return withEmptyDatabase(async (url) => {
    const config = readConfig({}, () => UNUSED_SECRET);
    const logger = createLogger('fatal');
    const { nest } = await createApp(await loadAppModule(root), config, url, { logger });
    try {
      const server = nest.getHttpAdapter().getInstance();
      const host = `${config.host}:${config.port}`;
      const { statusCode, body } = await server.inject({ url: '/docs/openapi.json', headers: { host } });
      if (statusCode !== 200) throw new Error(`The document is answered with ${statusCode}:\n${body}`);
      return body;
    } finally {
      await nest.close();
    }
  });
}

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
