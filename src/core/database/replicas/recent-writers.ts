import { setTimeout as sleep } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';
import { Client } from 'pg';

import { PRODUCT } from '../../config/product.js';
import { Reader } from './replica.js';

const CHANNEL = 'replica_writers';
const MAX_WRITERS = 100_000;
/** As many as fit into a notification, whose payload is bounded to 8,000 bytes. */
const WRITERS_A_NOTIFICATION = 100;
/** How long nothing may have been heard before it is unknown who wrote on other instances. */
const UNHEARD_MS = 1_000;
/** How long a query may be without an answer before its connection counts as lost. */
const LOST_AFTER_MS = 2_000;
const CONNECT_WITHIN_MS = 3_000;
/** How long the end of the process waits for the server to end the session. */
const END_WITHIN_MS = 500;

/** The key of a user, by whatever credentials. */
export const writingUser = (userId: number): string => `user ${userId}`;

/**
 * The callers who wrote lately, on any instance: each notifies the others through PostgreSQL (`LISTEN`, `NOTIFY`)
 * before it answers a write.
 */
export class RecentWriters {
  private readonly writers: LRUCache<string, true>;
  private waiting: string[] = [];
  private sending: Promise<void> | undefined;
  /** Listens, outside the pool; opened anew where it was lost. */
  private client: Client | undefined;
  /** In milliseconds of `performance.now()`: what was notified until then has been heard. */
  private heardUntil = -Infinity;

  /**
   * @param url of the primary
   * @param pinnedMs how long a caller counts as a recent writer
   */
  constructor(
    private readonly primary: Reader,
    private readonly url: string,
    pinnedMs: number,
  ) {
    this.writers = new LRUCache({ max: MAX_WRITERS, ttl: pinnedMs });
  }

  /** Whether a caller may have written lately. */
  has(caller: string): boolean {
    return this.writers.has(caller) || performance.now() - this.heardUntil > UNHEARD_MS;
  }

  /** Remembers that a caller has written. @returns when other instances have been notified, or cannot be */
  async add(caller: string): Promise<void> {
    this.writers.set(caller, true);
    this.waiting.push(caller);
    // Those who write while a notification is under way go with the next one.
    await this.sending;
    this.sending ??= this.send().finally(() => (this.sending = undefined));
    await this.sending;
  }

  /** Runs a query over the connection that listens: its answer shows that what was notified before it was heard. */
  async query<Row extends object>(text: string): Promise<Row[]> {
    const sentAt = performance.now();
    try {
      this.client ??= await this.listen();
      const { rows } = await this.client.query<Row>(text);
      this.heardUntil = sentAt;
      return rows;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    this.heardUntil = -Infinity;
    if (!client) return;
    const ended = client.end().catch(() => undefined);
    await Promise.race([ended, sleep(END_WITHIN_MS, undefined, { ref: false })]);
    client.connection.stream.destroy();
  }

  private async listen(): Promise<Client> {
    const client = new Client({
      connectionString: this.url,
      application_name: `${PRODUCT.databaseApplication} notifications`,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: LOST_AFTER_MS,
      keepAlive: true,
    });
    // The next query fails, and opens another one.
    client.on('error', () => (this.heardUntil = -Infinity));
    client.on('notification', ({ payload = '[]' }) => {
      for (const caller of callersIn(payload)) this.writers.set(caller, true);
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    return client;
  }

  private async send(): Promise<void> {
    const callers = this.waiting;
    this.waiting = [];
    for (let i = 0; i < callers.length; i += WRITERS_A_NOTIFICATION) {
      const values = [CHANNEL, JSON.stringify(callers.slice(i, i + WRITERS_A_NOTIFICATION))];
      // Without the primary nothing is read that other instances could answer from a replica too early.
      await this.primary
        .query({ text: 'select pg_notify($1, $2)', values, name: 'notify' })
        .catch(() => undefined);
    }
  }
}

/** Anybody who may use the database can notify anything. */
function callersIn(payload: string): string[] {
  try {
    return JSON.parse(payload) as string[];
  } catch {
    return [];
  }
}
