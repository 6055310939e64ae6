import 'reflect-metadata';

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client } from 'pg';

import {
  EmbeddedDatabase,
  openEmbeddedDatabase,
} from '../../packages/embedded-postgres-server/embedded-database.js';
import { removeEmbeddedDatabase } from '../../packages/embedded-postgres-server/remove-embedded-database.js';
import { loadConfigWithoutKeys } from '../../src/config/load-config.js';
import { PRODUCT } from '../../src/config/product.js';
import { UsageError } from '../usage-error.js';
import { ArchiveHeader, readArchive } from './archive.js';
import { fileArgument, main, say, secretFile } from './program.js';
import { beginRestoring, migrationsOf, restoreLine } from './rows.js';

const USAGE = 'npm run restore -- <file>   makes the embedded database of a backup; there must be none yet';

/** `npm run restore`: the database appears in its place when all of it is there. */
async function restore(): Promise<void> {
  const file = fileArgument(USAGE);
  const config = loadConfigWithoutKeys();
  if (config.database.url !== undefined)
    throw new UsageError('DATABASE_URL: set, but this command is for the embedded database; take pg_restore');
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  const directory = join(config.dataDir, 'database');
  if (existsSync(directory))
    throw new UsageError(
      `there is a database in ${directory}: stop the service and move that folder away first`,
    );
  const draft = `${directory}.restoring`;
  // Of a restore that was interrupted.
  await removeEmbeddedDatabase(draft);
  const database = await openEmbeddedDatabase({ directory: draft, log: say });
  let jwtSecret: string | null;
  try {
    jwtSecret = await fill(database, file);
  } catch (error) {
    await database.stop();
    await removeEmbeddedDatabase(draft);
    throw error;
  }
  await database.stop();
  const secret = secretFile(config.dataDir);
  if (jwtSecret !== null && !existsSync(secret))
    writeFileSync(secret, jwtSecret, { flag: 'wx', mode: 0o600 });
  renameSync(draft, directory);
}

/** @returns the key of access tokens of the backup */
async function fill(database: EmbeddedDatabase, file: string): Promise<string | null> {
  await migrated(database.url);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    let jwtSecret: string | null = null;
    const begin = async (header: ArchiveHeader): Promise<void> => {
      assertFits(header, await migrationsOf(client));
      ({ jwtSecret } = header);
      await beginRestoring(client);
    };
    const { rows } = await readArchive(file, begin, (line) => restoreLine(client, line));
    await client.query('commit');
    await client.query('analyze');
    say(`${rows} rows are restored.`);
    return jwtSecret;
  } finally {
    await client.end();
  }
}

/** Runs all migrations, those of modules too. */
async function migrated(url: string): Promise<void> {
  const program = fileURLToPath(new URL('../../src/migrate.js', import.meta.url));
  const env = { ...process.env, DATABASE_URL: url, DATABASE_URL_FILE: '' };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('the migrations did not run');
}

/** @throws Error where the backup is of another schema */
function assertFits({ product, migrations }: ArchiveHeader, known: readonly string[]): void {
  if (product !== PRODUCT.slug) throw new Error(`the backup is of ${product}`);
  const unknown = migrations.filter((name) => !known.includes(name));
  const later = known.filter((name) => !migrations.includes(name));
  if (unknown.length + later.length === 0) return;
  const reasons = [
    ...(unknown.length > 0 ? [`it has ${unknown.join(', ')}, which this release has not`] : []),
    ...(later.length > 0 ? [`it has not ${later.join(', ')}`] : []),
  ];
  throw new Error(
    `The backup is of another release: ${reasons.join('; ')}. Restore it by that release, then start this one.`,
  );
}

await main(restore, USAGE);
