import { join } from 'node:path';

import type { Config } from '@plinth/core';

import { openEmbeddedDatabase } from '../embedded-postgres/embedded-database.js';
import { log } from './command.js';

/** Passes the URL of the project's database to `work`: `DATABASE_URL` or, if it is not set, that of the embedded one. */
export async function withProjectDatabase<T>(
  { database: { url }, dataDir }: Config,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (url !== undefined) return work(url);
  const embedded = await openEmbeddedDatabase({ directory: join(dataDir, 'database'), log });
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}
