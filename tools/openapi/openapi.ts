import 'reflect-metadata';

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createApp, createLogger, readConfig } from '@plinth/core/dev';
import { openEmbeddedDatabase, removeEmbeddedDatabase } from '@plinth/dev/embedded-database';

import { AppModule } from '../../src/app.module.js';

/** Signs nothing: the service takes no request but the one for its document. */
const SECRET = 'only to build the OpenAPI document, for no token';

/**
 * The OpenAPI document of all versions, as the service answers `/docs/openapi.json` with its default settings.
 *
 * The service does not listen. Its database is one without tables, made for the purpose: modules connect as they start.
 */
async function buildDocument(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'openapi-'));
  const database = await openEmbeddedDatabase({ directory, durable: false, log: () => undefined });
  try {
    const config = readConfig({}, () => SECRET);
    const { nest } = await createApp(AppModule, config, database.url, { logger: createLogger('fatal') });
    try {
      const server = nest.getHttpAdapter().getInstance();
      const { statusCode, body } = await server.inject('/docs/openapi.json');
      if (statusCode !== 200) throw new Error(`the document is answered with ${statusCode}:\n${body}`);
      return body;
    } finally {
      await nest.close();
    }
  } finally {
    await database.stop();
    await removeEmbeddedDatabase(directory);
  }
}

/** Writes the document into the file that the command line names. */
const [, , file = ''] = process.argv;
writeFileSync(file, await buildDocument());
