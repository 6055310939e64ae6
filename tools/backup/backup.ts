import 'reflect-metadata';

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';

import { openEmbeddedDatabase } from '../../packages/embedded-postgres-server/embedded-database.js';
import { Config } from '../../src/config/config.js';
import { loadConfigWithoutKeys } from '../../src/config/load-config.js';
import { PRODUCT } from '../../src/config/product.js';
import { UsageError } from '../usage-error.js';
import { ArchiveWriter } from './archive.js';
import { fileArgument, main, say, secretFile } from './program.js';
import { migrationsOf, writeRows } from './rows.js';

const USAGE =
  'npm run backup -- <file>   writes the embedded database to a new file; the service may run meanwhile';

/** `npm run backup`: everything as one moment sees it, for `npm run restore`. */
async function backup(): Promise<void> {
  const file = fileArgument(USAGE);
  const config = loadConfigWithoutKeys();
  if (config.database.url !== undefined)
    throw new UsageError('DATABASE_URL: set, but this command is for the embedded database; take pg_dump');
  if (existsSync(file)) throw new UsageError(`${file} is there already`);
  const directory = join(config.dataDir, 'database');
  if (!existsSync(directory)) throw new UsageError(`there is no database in ${directory}`);
  const database = await openEmbeddedDatabase({ directory, log: say, attach: true });
  const client = new Client({ connectionString: database.url });
  try {
    await client.connect();
    const rows = await write(client, file, config);
    say(`${rows} rows are in ${file}. It holds credentials: keep it where nobody else reads it.`);
  } finally {
    await client.end();
    await database.stop();
  }
}

async function write(client: Client, file: string, { dataDir }: Config): Promise<number> {
  await client.query('begin isolation level repeatable read read only');
  const secret = secretFile(dataDir);
  const archive = new ArchiveWriter(file, {
    format: 1,
    product: PRODUCT.slug,
    takenAt: new Date().toISOString(),
    migrations: await migrationsOf(client),
    jwtSecret: existsSync(secret) ? readFileSync(secret, 'utf8') : null,
  });
  try {
    const rows = await writeRows(client, archive);
    await archive.end({ rows, isComplete: true });
    return rows;
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

await main(backup, USAGE);
