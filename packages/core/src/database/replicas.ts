import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Client } from 'pg';

import { PRODUCT } from '../config/product.js';
import { SHARE_USED_UP } from './caller-shares.js';
import { ConnectionPool } from './connection-pool.js';
import { Reader, Statement } from './connection.js';
import { codeOf, ConnectionFailedError, isConflict, keepsConnection } from './database-error.js';

/** How often the primary is asked for its time, and a replica for how far it is. */
const PULSE_MS = 250;
/** How long the primary may say nothing before it is unknown who wrote on other instances. */
const UNHEARD_MS = 1_000;
/** How long a query may be without an answer before its connection counts as lost. */
const LOST_AFTER_MS = 2_000;
const CONNECT_WITHIN_MS = 3_000;
const CHANNEL = 'replica_writers';
const MAX_WRITERS = 100_000;

/** The time of the primary. The message has something be committed at that time, which replicas replay. */
const BEAT = `select extract(epoch from clock_timestamp())::float8 * 1000 as time,
  pg_logical_emit_message(true, '${CHANNEL}', '')`;
/** When, by the clock of the primary, the last transaction was committed that the replica has replayed. */
const REPLAYED = 'select extract(epoch from pg_last_xact_replay_timestamp())::float8 * 1000 as time';

/** The key of a user as a caller, as `callerKey()` of requests writes it. */
export const writingUser = (userId: number): string => `user ${userId}`;

export interface ReplicaPools {
  readonly pools: readonly ConnectionPool[];
  readonly lagMs: number;
  readonly primaryUrl: string;
}

class Replica implements Reader {
  /** By the clock of the primary: it has everything that was committed until then. */
  replayed = -Infinity;

  constructor(
    readonly pool: ConnectionPool,
    private readonly primary: Reader,
  ) {
    // The pool replaces an idle session that ends.
    pool.on('error', () => undefined);
  }

  async query<Row extends object>(statement: Statement): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>(statement)).rows;
    } catch (error) {
      if (!isOwnFault(error)) throw error;
      if (!isConflict(error) && codeOf(error) !== SHARE_USED_UP) this.replayed = -Infinity;
      return this.primary.query(statement);
    }
  }
}

/** Whether the primary may answer what a replica could not: it is gone or behind, or replay was in the way. */
export function isOwnFault(error: unknown): boolean {
  if (error instanceof ConnectionFailedError || isConflict(error)) return true;
  const code = codeOf(error) ?? '';
  // A table, column or function is not there: the replica has not come to the migration that made it.
  if (/^42(P01|703|883)$/.test(code)) return true;
  // After a time-out, asking another server as well would double the load that made it slow.
  return !keepsConnection(error) && code !== '57014';
}

/**
 * The read replicas of `DATABASE_REPLICA_URLS`, and which request reads from them: those of callers who have not
 * written for `REPLICA_LAG_SECONDS`, from a replica that has everything that was committed until that long ago. Over
 * one connection to the primary the instances tell each other who wrote (`NOTIFY`), and the primary tells its time.
 */
export class Replicas {
  private readonly logger = new Logger('Replicas');
  private readonly stopping = new AbortController();
  private readonly ofRequest = new AsyncLocalStorage<Replica>();
  readonly pools = this.options.pools;
  private readonly replicas = this.pools.map((pool) => new Replica(pool, this.primary));
  /** Callers who wrote lately, on any instance. */
  private readonly writers = new LRUCache<string, true>({ max: MAX_WRITERS, ttl: this.options.lagMs });
  /** When the primary was asked last, and since when it has been heard, as `performance.now()` counts. */
  private heard = { at: -Infinity, since: -Infinity };
  /** How much more the clock of the primary shows than `performance.now()`. */
  private clockOffset = 0;
  private turn = 0;

  constructor(
    private readonly options: ReplicaPools,
    private readonly primary: Reader,
  ) {}

  /** The replica that the current request reads from; `undefined`: it reads from the primary. */
  get current(): Replica | undefined {
    return this.ofRequest.getStore();
  }

  /** Runs the rest of a request that only reads. @param caller the key of who sent it */
  route(caller: string, rest: () => void): void {
    const usable =
      this.isHearing && !this.writers.has(caller)
        ? this.replicas.filter((replica) => this.isFresh(replica))
        : [];
    const replica = usable[this.turn++ % usable.length];
    if (replica) this.ofRequest.run(replica, rest);
    else rest();
  }

  /** Routes a caller to the primary for a while. @returns once the primary has taken the word for other instances, or cannot */
  async wrote(caller: string): Promise<void> {
    this.writers.set(caller, true);
    const statement = { text: 'select pg_notify($1, $2)', values: [CHANNEL, caller], name: 'notify' };
    // Without the primary nothing is read that other instances could answer from a replica too early.
    await this.primary.query(statement).catch(() => undefined);
  }

  start(): void {
    void this.everyPulse(() => this.listen());
    for (const replica of this.replicas) {
      let wasFresh: boolean | undefined;
      void this.everyPulse(async () => {
        try {
          const { rows } = await replica.pool.query<{ time: number | null }>(REPLAYED);
          replica.replayed = rows[0]?.time ?? -Infinity;
        } finally {
          const isFresh = this.isFresh(replica);
          if (this.isHearing && isFresh !== wasFresh) this.log(replica, (wasFresh = isFresh));
        }
      });
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.pools.map((pool) => pool.end().catch(() => undefined)));
  }

  /** Whether all that callers wrote lately has been heard. */
  private get isHearing(): boolean {
    const now = performance.now();
    return now - this.heard.at <= UNHEARD_MS && now - this.heard.since > this.options.lagMs;
  }

  private isFresh({ replayed }: Replica): boolean {
    return performance.now() + this.clockOffset - replayed <= this.options.lagMs;
  }

  private log({ pool }: Replica, isFresh: boolean): void {
    const { host } = new URL(pool.options.connectionString ?? '');
    if (isFresh) this.logger.log(`The replica ${host} is read from`);
    else this.logger.warn(`The replica ${host} is down or too far behind`);
  }

  /** Listens to the primary, and asks for its time, until the connection is lost. */
  private async listen(): Promise<void> {
    const client = new Client({
      connectionString: this.options.primaryUrl,
      application_name: `${PRODUCT.slug} notifications`,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: LOST_AFTER_MS,
      keepAlive: true,
    });
    // The next query fails.
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => this.writers.set(payload, true));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      const since = performance.now();
      await this.everyPulse(async () => {
        const at = performance.now();
        const { rows } = await client.query<{ time: number }>(BEAT);
        this.clockOffset = (rows[0]?.time ?? 0) - at;
        this.heard = { at, since };
      }, true);
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  /** @param isOver whether an error ends it; else the work is done again, while what is known grows old */
  private async everyPulse(work: () => Promise<void>, isOver = false): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (isOver) throw error;
      });
      await sleep(PULSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
