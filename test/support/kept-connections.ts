import { Client } from 'pg';

import { RESULT_TYPES } from '../../packages/core/src/database/result-types.js';

/**
 * Open connections by URL, because opening one takes ten milliseconds of processor time. All test files of a
 * Jest worker share this module.
 */
const idle = new Map<string, Client>();

/**
 * Runs a statement on an open connection, or on a new one if that is missing or busy. The statement must
 * leave the session unchanged: no settings, no transaction, no locks.
 */
export async function runOnKept<Row extends object>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = idle.get(url) ?? (await connect(url));
  idle.delete(url);
  try {
    const { rows } = await client.query<Row>({ text, values: [...values], types: RESULT_TYPES });
    await keep(url, client);
    return rows;
  } catch (error) {
    // A failed statement may leave a transaction open.
    await client.end();
    throw error;
  }
}

/** Closes the open connection to a database, so that the database can be dropped or copied. */
export async function endKept(url: string): Promise<void> {
  const client = idle.get(url);
  idle.delete(url);
  await client?.end();
}

/** Forgets a connection that a test or the server has ended. */
const ended = new WeakSet<Client>();

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => ended.add(client));
  client.on('end', () => {
    ended.add(client);
    if (idle.get(url) === client) idle.delete(url);
  });
  await client.connect();
  // Does not keep the worker from exiting. The types of pg lack the method.
  (client as Client & { unref(): void }).unref();
  return client;
}

async function keep(url: string, client: Client): Promise<void> {
  if (ended.has(client)) return;
  if (idle.has(url)) await client.end();
  else idle.set(url, client);
}
