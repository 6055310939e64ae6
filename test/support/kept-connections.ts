import { Client } from 'pg';

/**
 * Connections that wait for the next statement, by URL: making one takes ten milliseconds of processor time. All test
 * files of a Jest worker share this module.
 */
const idle = new Map<string, Client>();

/**
 * Runs a statement on a connection that is kept, or on a new one where there is none or it is busy. It leaves the
 * session as it was: no settings, no transaction, no locks.
 */
export async function runOnKept<Row extends object>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = idle.get(url) ?? (await connect(url));
  idle.delete(url);
  try {
    const { rows } = await client.query<Row>(text, [...values]);
    await keep(url, client);
    return rows;
  } catch (error) {
    // A statement that fails may leave a transaction open.
    await client.end();
    throw error;
  }
}

/** Ends the connection to a database that is kept, so that it can be dropped or copied. */
export async function endKept(url: string): Promise<void> {
  const client = idle.get(url);
  idle.delete(url);
  await client?.end();
}

/** One that has ended, by a test or with its server, is not kept. */
const ended = new WeakSet<Client>();

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => ended.add(client));
  client.on('end', () => {
    ended.add(client);
    if (idle.get(url) === client) idle.delete(url);
  });
  await client.connect();
  // It does not keep the worker from ending. (pg's types leave the method out.)
  (client as Client & { unref(): void }).unref();
  return client;
}

async function keep(url: string, client: Client): Promise<void> {
  if (ended.has(client)) return;
  if (idle.has(url)) await client.end();
  else idle.set(url, client);
}
