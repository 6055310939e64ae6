import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Client } from 'pg';

import { PRODUCT } from '../config/product.js';
import { Connection } from './connection.js';

/** How often the connection is tried, and how soon a lost one is opened anew. */
const PULSE_MS = 300;
/** How long a pulse may be without an answer before the connection counts as lost; the process may just be busy. */
const LOST_AFTER_MS = 2_000;
const CONNECT_WITHIN_MS = 3_000;
/** How long the end of the process waits for the server to end the session. */
const END_WITHIN_MS = 500;

type Listener = (payload: string) => void;

/** Notifies every instance when the transaction of `on` commits. */
export async function notify(on: Pick<Connection, 'query'>, channel: string, payload: string): Promise<void> {
  await on.query({ text: 'select pg_notify($1, $2)', values: [channel, payload], name: 'notify' });
}

/**
 * Notifications between instances through PostgreSQL (`LISTEN`, `NOTIFY`), over one connection of its own, outside the
 * pool. A lost connection is opened anew for as long as it takes. What was notified meanwhile is never heard: `onGap`
 * listeners must then forget whatever they would have been told of, and `heardUntil` says what is known at any moment.
 */
@Injectable()
export class Notifications implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Notifications');
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly gapListeners = new Set<() => void>();
  private readonly stopping = new AbortController();
  private client: Client | undefined;
  private heard = -Infinity;

  /** @param url of the server */
  constructor(private readonly url: string) {}

  /**
   * Everything that was notified up to this time has been heard: in milliseconds of `performance.now()`, a pulse ago
   * at most. `-Infinity`: nothing is heard now.
   */
  get heardUntil(): number {
    return this.heard;
  }

  /** Hears what is notified on a channel. To be called before the application starts. */
  on(channel: string, listener: Listener): void {
    this.listeners.set(channel, (this.listeners.get(channel) ?? new Set()).add(listener));
  }

  /** Hears that something may have been missed: when the connection is lost, and when it is back. */
  onGap(listener: () => void): void {
    this.gapListeners.add(listener);
  }

  /** Does not wait for the connection: the service runs without it, remembering less. */
  onApplicationBootstrap(): void {
    void this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    const { client } = this;
    if (!client) return;
    const ended = client.end().catch(() => undefined);
    await Promise.race([ended, sleep(END_WITHIN_MS, undefined, { ref: false })]);
    client.connection.stream.destroy();
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.listen();
      await this.pause();
    }
  }

  /** Listens until the connection is lost, or cannot be had. */
  private async listen(): Promise<void> {
    let client: Client | undefined;
    try {
      client = this.newClient();
      this.client = client;
      await client.connect();
      for (const channel of this.listeners.keys()) await client.query(`listen "${channel}"`);
      this.gap();
      while (!this.stopping.signal.aborted) {
        const sentAt = performance.now();
        await client.query('select 1');
        this.heard = sentAt;
        await this.pause();
      }
    } catch {
      // The next round opens another one.
    } finally {
      this.client = undefined;
      this.gap();
      void client?.end().catch(() => undefined);
    }
  }

  private newClient(): Client {
    const client = new Client({
      connectionString: this.url,
      application_name: `${PRODUCT.databaseApplication} notifications`,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: LOST_AFTER_MS,
      keepAlive: true,
    });
    // Told at once; the pulse that fails opens another connection.
    client.on('error', () => this.gap());
    client.on('end', () => this.gap());
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of this.listeners.get(channel) ?? []) this.tell(channel, () => listener(payload));
    });
    return client;
  }

  private gap(): void {
    this.heard = -Infinity;
    for (const listener of this.gapListeners) this.tell('a gap', listener);
  }

  /** Anybody who may use the database can notify anything: what a listener makes of it must not end the process. */
  private tell(channel: string, listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.logger.error(`A listener failed on ${channel}`, error instanceof Error ? error.stack : error);
    }
  }

  private async pause(): Promise<void> {
    const { signal } = this.stopping;
    await sleep(PULSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
