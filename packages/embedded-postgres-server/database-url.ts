import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import pg from 'pg';

import { EmbeddedDatabaseError } from './embedded-database.error.js';
import { DATABASE_NAME, SERVER_USER } from './server-settings.js';

const FILE = 'password';

/** The password of the directory's database, made at the first call; only the current user may read its file. */
export function ensurePassword(directory: string): string {
  try {
    writeFileSync(join(directory, FILE), randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readPassword(directory);
}

export const readPassword = (directory: string): string => readFileSync(join(directory, FILE), 'utf8').trim();

export const databaseUrl = (port: number, password: string, database = DATABASE_NAME): string =>
  `postgres://${SERVER_USER}:${password}@127.0.0.1:${port}/${database}`;

/** Whether an error says that the server takes no connections now, as one that is being started: it may do so soon. */
export function isNotUp(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return /^(ECONN|EPIPE|57P)/.test(code ?? '') || message.startsWith('Connection terminated');
}

/** Proves that the server answers and lets us in, and makes the service's database where it is missing. */
export async function ensureDatabase(port: number, password: string): Promise<void> {
  if (await canConnect(databaseUrl(port, password))) return;
  await withClient(databaseUrl(port, password, 'postgres'), (client) =>
    client.query(`create database ${pg.escapeIdentifier(DATABASE_NAME)}`),
  );
}

/** False when the database does not exist; any other trouble is thrown. */
async function canConnect(url: string): Promise<boolean> {
  try {
    await withClient(url, () => Promise.resolve());
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '3D000') return false;
    if (code !== '28P01') throw error;
    throw new EmbeddedDatabaseError(
      `The file "${FILE}" does not hold the password of the embedded database: put the old one back, or delete the directory to begin with an empty database.`,
    );
  }
}

async function withClient(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    query_timeout: 30_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end();
  }
}
