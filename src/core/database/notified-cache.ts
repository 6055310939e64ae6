import { LRUCache } from 'lru-cache';

import { Notifications } from './notifications.js';
import { onPrimary } from './replicas/replica.js';

/** How long something is remembered without knowing whether it changed. */
const UNHEARD_MS = 1_000;

export interface NotifiedCacheOptions<Value> {
  /** How many values are kept; those not used longest go first. */
  readonly max: number;
  /** How long a value is kept at most, in milliseconds; left out: until it is forgotten. */
  readonly ttlMs?: number;
  /** Whose value it is: `forget` takes one of them. */
  readonly ownersOf?: (value: Value) => readonly (string | number | null)[];
}

interface Entry<Value> {
  readonly value: Value;
  readonly at: number;
  readonly generation: number;
}

/**
 * Values of the database kept in this process for as long as a change of them would be heard: forgotten when their
 * owner is told of a change, all of them when something may have been missed, and not used where the last that was
 * heard is more than a second ago. A value that was being read while something was forgotten is not kept.
 */
export class NotifiedCache<Value extends object> {
  /** There from the first value on: a start keeps none, and the places of all values are taken at once. */
  private entries: LRUCache<string, Entry<Value>> | undefined;
  private readonly running = new Map<string, Promise<Value | undefined>>();
  private generation = 0;
  /** By owner, the generation from which on values may be used. */
  private readonly forgotten = new Map<string | number, number>();

  constructor(
    private readonly notifications: Pick<Notifications, 'heardUntil' | 'onGap'>,
    private readonly options: NotifiedCacheOptions<Value>,
    private readonly now: () => number = () => performance.now(),
  ) {
    notifications.onGap(() => {
      this.forgetAll();
    });
  }

  /** The cached value of a key, or `undefined`. */
  get(key: string): Value | undefined {
    const entry = this.entries?.get(key);
    if (!entry || this.isForgotten(entry)) return undefined;
    // One that is too old is not removed: where nothing was missed, the next pulse shows that it still holds.
    const holdsAt = Math.max(entry.at, this.notifications.heardUntil);
    return this.now() - holdsAt <= UNHEARD_MS ? entry.value : undefined;
  }

  /** The cached value of a key, or the result of `read`, which concurrent callers share. */
  load(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.get(key);
    if (known) return Promise.resolve(known);
    let running = this.running.get(key);
    if (!running) {
      running = this.read(key, read).finally(() => {
        if (this.running.get(key) === running) this.running.delete(key);
      });
      this.running.set(key, running);
    }
    return running;
  }

  /** Forgets the values of an owner, however many values there are. */
  forget(owner: string | number): void {
    this.begin();
    this.forgotten.set(owner, this.generation);
    if (this.forgotten.size > this.options.max) this.forgetAll();
  }

  /** Forgets the value of a key. */
  forgetKey(key: string): void {
    this.begin();
    this.entries?.delete(key);
  }

  forgetAll(): void {
    this.begin();
    this.entries?.clear();
    this.forgotten.clear();
  }

  private isForgotten({ value, generation }: Entry<Value>): boolean {
    const owners = this.options.ownersOf?.(value) ?? [];
    return owners.some((owner) => owner !== null && (this.forgotten.get(owner) ?? 0) > generation);
  }

  /** From here on, what was being read before is old: not to be kept, nor given to those who ask now. */
  private begin(): void {
    this.generation++;
    this.running.clear();
  }

  private async read(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const { generation } = this;
    const at = this.now();
    // What is kept decides for others too.
    const value = await onPrimary(read);
    if (value && generation === this.generation) this.places().set(key, { value, at, generation });
    return value;
  }

  private places(): LRUCache<string, Entry<Value>> {
    const { max, ttlMs } = this.options;
    return (this.entries ??= new LRUCache({ max, ...(ttlMs !== undefined && { ttl: ttlMs }) }));
  }
}
