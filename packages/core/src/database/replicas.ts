import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Client } from 'pg';

import { readPostgresUrl } from '../config/postgres-url.js';
import { PRODUCT } from '../config/product.js';
import { SHARE_USED_UP } from './caller-shares.js';
import { ConnectionPool } from './connection-pool.js';
import { QueryExecutor, Statement } from './sql-executor.js';
import {
  databaseErrorCode,
  ConnectionFailedError,
  isConflict,
  isConnectionReusableAfter,
} from './database-error.js';
import { RESULT_TYPES } from './result-types.js';

/** The interval at which each instance reads the time of the primary, and the progress of each replica. */
const HEARTBEAT_MS = 250;
/** If the last heartbeat is older than this, this instance may not know which callers wrote on other instances. */
const HEARTBEAT_TIMEOUT_MS = 1_000;
/** If the query of a heartbeat takes longer, its connection counts as lost. */
const HEARTBEAT_QUERY_TIMEOUT_MS = 2_000;
const LISTENER_CONNECT_TIMEOUT_MS = 3_000;
const WRITERS_CHANNEL = 'replica_writers';
const MAX_WRITERS = 100_000;

/**
 * Returns the time of the primary. The statement also writes a message to the WAL, so that it counts as a transaction,
 * which replicas replay. Each replica can therefore report a recent commit time, even if nobody else writes.
 */
const HEARTBEAT_SQL = `select extract(epoch from clock_timestamp())::float8 * 1000 as time,
  pg_logical_emit_message(true, '${WRITERS_CHANNEL}', '')`;
/** Returns the commit time of the last transaction that a replica has replayed, by the clock of the primary. */
const REPLAYED_SQL = 'select extract(epoch from pg_last_xact_replay_timestamp())::float8 * 1000 as time';

/** Returns the caller key of a user: the same as `callerKey()` returns for the user's requests. */
export const userCallerKey = (userId: number): string => `user ${userId}`;

export interface ReplicaPools {
  readonly pools: readonly ConnectionPool[];
  readonly maxLagMs: number;
  readonly primaryUrl: string;
}

class Replica implements QueryExecutor {
  /** The replica has everything that was committed before this time (epoch ms, by the clock of the primary). */
  replayedUntilMs = -Infinity;

  constructor(
    readonly pool: ConnectionPool,
    private readonly primary: QueryExecutor,
    private readonly isPrimaryAway: () => boolean,
  ) {
    // The pool replaces an idle connection that ends. Without a listener, the error of this connection would end the
    // process.
    pool.on('error', () => undefined);
  }

  async query<Row extends object>(statement: Statement): Promise<Row[]> {
    try {
      return await this.run<Row>(statement);
    } catch (error) {
      if (!isReplicaFault(error)) throw error;
      // Only this server can answer now, and another connection to it may succeed.
      if (this.isPrimaryAway()) return this.run(statement);
      // Stop reading from this replica until its next heartbeat. After a conflict, or if only the caller has no share
      // left, the replica itself still works.
      if (!isConflict(error) && databaseErrorCode(error) !== SHARE_USED_UP) this.replayedUntilMs = -Infinity;
      return this.primary.query(statement);
    }
  }

  private async run<Row extends object>(statement: Statement): Promise<Row[]> {
    return (await this.pool.query<Row>({ ...statement, types: RESULT_TYPES })).rows;
  }
}

/**
 * Whether the primary should run a query that failed on a replica: the replica is unreachable, lacks a migration, or
 * has cancelled the query because of a conflict with replay.
 */
export function isReplicaFault(error: unknown): boolean {
  if (error instanceof ConnectionFailedError || isConflict(error)) return true;
  const code = databaseErrorCode(error) ?? '';
  // A table, column or function does not exist. The replica may not yet have replayed the migration that creates it.
  if (/^42(P01|703|883)$/.test(code)) return true;
  // After a timeout (57014), a second attempt on the primary would add to the load that made the query slow.
  return !isConnectionReusableAfter(error) && code !== '57014';
}

/**
 * Reads from the replicas in `DATABASE_REPLICA_URLS` without showing callers a state from before their own writes. A
 * replica is a little behind the primary. If a client created an order and then read it from a replica, it could get
 * 404. A request therefore reads from a replica only if both conditions hold:
 *
 * - The caller has not written within the last `REPLICA_LAG_SECONDS`, on any instance. When a caller writes, the
 *   instance informs the other instances by `NOTIFY` on the primary.
 * - The replica is at most `REPLICA_LAG_SECONDS` behind. To find out, each instance compares the time of the primary
 *   with the commit time of the last transaction that the replica has replayed.
 *
 * If an instance does not know which callers wrote on other instances, it sends all reads to the primary. This is so for
 * `REPLICA_LAG_SECONDS` after it has begun to listen for notifications. A caller may still see the writes of other
 * callers up to `REPLICA_LAG_SECONDS` late.
 *
 * While the primary is away, nobody can write, so both conditions are judged as they were when the connection to it was
 * lost. A replica that was more than a second behind then is not used, because it may never get what it lacks, such as the
 * end of a session. If a replica shows a commit that is more than a second later, the primary serves others, only not this
 * instance, and the replica is not used.
 */
export class Replicas {
  private readonly logger = new Logger('Replicas');
  private readonly stopping = new AbortController();
  private readonly requestReplica = new AsyncLocalStorage<Replica>();
  readonly pools = this.options.pools;
  private readonly replicas = this.pools.map(
    (pool) => new Replica(pool, this.primary, () => this.isPrimaryAway),
  );
  /** Callers who wrote lately, on any instance. */
  private readonly writers = new LRUCache<string, true>({ max: MAX_WRITERS, ttl: this.options.maxLagMs });
  /** The time of the last heartbeat, and of the start of listening (both by `performance.now()`). */
  private heartbeat = { at: -Infinity, since: -Infinity };
  /** The clock of the primary minus `performance.now()`, in milliseconds. */
  private clockOffset = 0;
  private nextReplicaIndex = 0;
  /** Whether the connection for notifications is lost, and no new one could be opened yet. */
  isPrimaryAway = false;

  constructor(
    private readonly options: ReplicaPools,
    private readonly primary: QueryExecutor,
  ) {}

  /** The replica that the current request reads from, or `undefined` if it reads from the primary. */
  get current(): Replica | undefined {
    return this.requestReplica.getStore();
  }

  /**
   * Chooses a replica or the primary for a request that only reads, and runs the rest of the request with that choice.
   * @param caller the key of the caller who sent the request
   */
  routeRead(caller: string, rest: () => void): void {
    const replica = this.writers.has(caller) ? undefined : this.nextUsable();
    if (replica) this.requestReplica.run(replica, rest);
    else rest();
  }

  /**
   * A replica that can answer for the primary while the primary is away, or `undefined`. For decisions about access:
   * nobody can change them without the primary.
   */
  get substitute(): QueryExecutor | undefined {
    return this.isPrimaryAway ? this.nextUsable() : undefined;
  }

  /**
   * Sends the reads of a caller to the primary for `REPLICA_LAG_SECONDS`, on every instance.
   * @returns a promise that resolves when the primary has accepted the notification, or cannot be reached
   */
  async recordWrite(caller: string): Promise<void> {
    this.writers.set(caller, true);
    const statement = { text: 'select pg_notify($1, $2)', values: [WRITERS_CHANNEL, caller], name: 'notify' };
    // If the primary is unreachable, other instances notice it too, and stop reading from replicas.
    await this.primary.query(statement).catch(() => undefined);
  }

  /** The state of each replica, in the order of `DATABASE_REPLICA_URLS`. */
  get states(): { readonly isServing: boolean; readonly lagMs: number }[] {
    return this.replicas.map((replica) => ({
      isServing: this.isListening && this.isFresh(replica),
      lagMs: this.lagMs(replica),
    }));
  }

  start(): void {
    void this.everyHeartbeat(() => this.listen());
    for (const replica of this.replicas) {
      let wasFresh: boolean | undefined;
      void this.everyHeartbeat(async () => {
        try {
          const { rows } = await replica.pool.query<{ time: number | null }>(REPLAYED_SQL);
          replica.replayedUntilMs = rows[0]?.time ?? -Infinity;
        } finally {
          const isFresh = this.isFresh(replica);
          if (this.isListening && isFresh !== wasFresh) this.log(replica, (wasFresh = isFresh));
        }
      });
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.pools.map((pool) => pool.end().catch(() => undefined)));
  }

  private nextUsable(): Replica | undefined {
    const usable = this.isListening ? this.replicas.filter((replica) => this.isFresh(replica)) : [];
    return usable[this.nextReplicaIndex++ % usable.length];
  }

  /** The time by which replicas are judged. While the primary is away, it stands still, like the data. */
  private get now(): number {
    return this.isPrimaryAway ? this.heartbeat.at : performance.now();
  }

  /** Whether this instance knows every caller who wrote within the last `REPLICA_LAG_SECONDS`. */
  private get isListening(): boolean {
    const { at, since } = this.heartbeat;
    return this.now - at <= HEARTBEAT_TIMEOUT_MS && this.now - since > this.options.maxLagMs;
  }

  private isFresh(replica: Replica): boolean {
    const lagMs = this.lagMs(replica);
    return lagMs <= this.options.maxLagMs && (!this.isPrimaryAway || Math.abs(lagMs) <= HEARTBEAT_TIMEOUT_MS);
  }

  private lagMs({ replayedUntilMs }: Replica): number {
    return this.now + this.clockOffset - replayedUntilMs;
  }

  private log({ pool }: Replica, isFresh: boolean): void {
    const { host } = new URL(pool.options.connectionString ?? '');
    if (isFresh) this.logger.log(`The replica ${host} serves reads`);
    else this.logger.warn(`The replica ${host} serves no reads: it is unreachable or too far behind`);
  }

  private setPrimaryAway(isAway: boolean): void {
    if (isAway === this.isPrimaryAway) return;
    this.isPrimaryAway = isAway;
    if (isAway) this.logger.warn('The primary is away: only replicas that are up to date serve reads');
    else this.logger.log('The primary is back');
  }

  /** Listens for notifications and reads the time of the primary, until the connection is lost. */
  private async listen(): Promise<void> {
    const client = new Client({
      ...readPostgresUrl(this.options.primaryUrl),
      application_name: `${PRODUCT.slug} notifications`,
      connectionTimeoutMillis: LISTENER_CONNECT_TIMEOUT_MS,
      query_timeout: HEARTBEAT_QUERY_TIMEOUT_MS,
      keepAlive: true,
    });
    // Without a listener, a lost connection would end the process. The next query fails, which ends the loop below.
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => this.writers.set(payload, true));
    try {
      await client.connect();
      await client.query(`listen ${WRITERS_CHANNEL}`);
      const since = performance.now();
      await this.everyHeartbeat(async () => {
        const at = performance.now();
        const { rows } = await client.query<{ time: number }>(HEARTBEAT_SQL);
        this.clockOffset = (rows[0]?.time ?? 0) - at;
        this.heartbeat = { at, since };
        this.setPrimaryAway(false);
      }, true);
    } finally {
      if (!this.stopping.signal.aborted) this.setPrimaryAway(true);
      void client.end().catch(() => undefined);
    }
  }

  /**
   * Repeats some work at every heartbeat.
   * @param stopsOnError whether an error of `work` ends the repetition. By default, errors are ignored
   */
  private async everyHeartbeat(work: () => Promise<void>, stopsOnError = false): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (stopsOnError) throw error;
      });
      await sleep(HEARTBEAT_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
