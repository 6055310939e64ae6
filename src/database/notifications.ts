import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Client } from 'pg';

import { Connection } from './connection.js';

/** How often it is looked whether the connection is alive, and how soon a lost one is opened anew. */
const PULSE_MS = 500;
/** Pulses without an answer after which the connection counts as lost; one may just be a busy process. */
const MAX_MISSED = 2;

type Listener = (payload: string) => void;

/** Says something to every instance when the transaction of `on` commits. */
export async function notify(on: Connection, channel: string, payload: string): Promise<void> {
  await on.query({ text: 'select pg_notify($1, $2)', values: [channel, payload], name: 'notify' });
}

/**
 * What instances tell each other through PostgreSQL (`LISTEN`, `NOTIFY`), over one connection of its own. While that
 * is down nothing is heard: `isLive` is false, and what was missed is never told. `onGap` listeners must then forget
 * whatever they would have been told of.
 */
@Injectable()
export class Notifications implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly gapListeners = new Set<() => void>();
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isConnecting = false;
  private missed = 0;
  private live = false;

  /** @param url of the server; a pooler between would have to pass `LISTEN` on */
  constructor(private readonly url: string) {}

  /** Whether everything that is told is heard. */
  get isLive(): boolean {
    return this.live;
  }

  /** Hears what is told on a channel. To be called before the application starts. */
  on(channel: string, listener: Listener): void {
    this.listeners.set(channel, (this.listeners.get(channel) ?? new Set()).add(listener));
  }

  /** Hears that something may have been missed: when the connection is lost, and when it is back. */
  onGap(listener: () => void): void {
    this.gapListeners.add(listener);
  }

  /** Does not wait for the connection: the service runs without it, remembering less. */
  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.pulse(), PULSE_MS).unref();
    void this.pulse();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    const { client } = this;
    this.client = undefined;
    this.live = false;
    await client?.end().catch(() => undefined);
  }

  private async pulse(): Promise<void> {
    if (this.isConnecting) return;
    const { client } = this;
    if (!client) return this.connect();
    if (this.missed >= MAX_MISSED) {
      this.lost(client);
      return;
    }
    this.missed++;
    try {
      await client.query('select 1');
      this.missed = 0;
    } catch {
      this.lost(client);
    }
  }

  private async connect(): Promise<void> {
    this.isConnecting = true;
    const client = new Client({
      connectionString: this.url,
      application_name: 'plinth notifications',
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
    });
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of this.listeners.get(channel) ?? []) listener(payload);
    });
    try {
      await client.connect();
      for (const channel of this.listeners.keys()) await client.query(`listen "${channel}"`);
      if (!this.timer) throw new Error('stopped meanwhile');
      this.client = client;
      this.missed = 0;
      this.tellGap();
      this.live = true;
    } catch {
      void client.end().catch(() => undefined);
    } finally {
      this.isConnecting = false;
    }
  }

  private lost(client: Client): void {
    if (client !== this.client) return;
    this.client = undefined;
    this.live = false;
    this.tellGap();
    void client.end().catch(() => undefined);
  }

  private tellGap(): void {
    for (const listener of this.gapListeners) listener();
  }
}
