import { LRUCache } from 'lru-cache';

import { Notifications, notify } from '../notifications.js';
import { Reader } from './replica.js';

const CHANNEL = 'replica_writers';
const MAX_WRITERS = 100_000;
/** As many as fit into a notification, whose payload is bounded to 8,000 bytes. */
const WRITERS_A_NOTIFICATION = 100;
/** How long nothing may have been heard before it is unknown who wrote on other instances. */
const UNHEARD_MS = 1_000;

/** The key of a user, by whatever credentials. */
export const writingUser = (userId: number): string => `user ${userId}`;

/** The callers who wrote lately, on any instance: each tells the others by a notification before it answers a write. */
export class RecentWriters {
  private readonly writers: LRUCache<string, true>;
  private waiting: string[] = [];
  private sending: Promise<void> | undefined;

  /** @param pinnedMs how long a caller counts as a recent writer */
  constructor(
    private readonly primary: Reader,
    private readonly notifications: Notifications,
    pinnedMs: number,
  ) {
    this.writers = new LRUCache({ max: MAX_WRITERS, ttl: pinnedMs });
    notifications.on(CHANNEL, (payload) => {
      for (const caller of JSON.parse(payload) as string[]) this.writers.set(caller, true);
    });
  }

  /** Whether a caller may have written lately. */
  has(caller: string): boolean {
    return this.writers.has(caller) || performance.now() - this.notifications.heardUntil > UNHEARD_MS;
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

  private async send(): Promise<void> {
    const callers = this.waiting;
    this.waiting = [];
    for (let i = 0; i < callers.length; i += WRITERS_A_NOTIFICATION) {
      const payload = JSON.stringify(callers.slice(i, i + WRITERS_A_NOTIFICATION));
      // Without the primary nothing is read that other instances could answer from a replica too early.
      await notify(this.primary, CHANNEL, payload).catch(() => undefined);
    }
  }
}
