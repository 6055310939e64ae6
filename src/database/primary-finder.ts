import { Client } from 'pg';

import { serversOf } from '../config/postgres-servers.js';
import { ConnectionFailedError } from './database-error.js';

/** How long a server may take to say whether it takes writes. */
const ANSWER_WITHIN_MS = 1_000;

/**
 * Finds the one of several servers that takes writes, as `target_session_attrs=read-write` of libpq does: after a
 * failover it is another one. All are asked at once, so one that is frozen keeps nobody waiting.
 */
export class PrimaryFinder {
  private running: Promise<string> | undefined;

  /** @param servers URLs of a host each */
  constructor(private readonly servers: readonly string[]) {}

  /** @returns its URL. @throws ConnectionFailedError where none takes writes now */
  find(): Promise<string> {
    this.running ??= this.ask().finally(() => (this.running = undefined));
    return this.running;
  }

  private async ask(): Promise<string> {
    try {
      return await Promise.any(this.servers.map(takesWrites));
    } catch (error) {
      throw new ConnectionFailedError((error as AggregateError).errors[0]);
    }
  }
}

/** @returns the URL. @throws Error where the server does not answer, or does not take writes */
async function takesWrites(url: string): Promise<string> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    if (rows[0]?.transaction_read_only === 'off') return url;
    throw Object.assign(new Error('no server of DATABASE_URL takes writes'), { code: '25006' });
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** The URL of the server that takes writes, where a URL names several; else the URL itself. */
export async function primaryOf(url: string): Promise<string> {
  const servers = serversOf(url);
  return servers.length > 1 ? new PrimaryFinder(servers).find() : url;
}
