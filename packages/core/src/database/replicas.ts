import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Client } from 'pg';

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

/** How often the primary is asked for its time, and a replica for how far it is. */
const HEARTBEAT_MS = 250;
/** How long the primary may say nothing before it is unknown who wrote on other instances. */
const HEARTBEAT_TIMEOUT_MS = 1_000;
/** How long a query may be without an answer before its connection counts as lost. */
const HEARTBEAT_QUERY_TIMEOUT_MS = 2_000;
const LISTENER_CONNECT_TIMEOUT_MS = 3_000;
const WRITERS_CHANNEL = 'replica_writers';
const MAX_WRITERS = 100_000;

/** The time of the primary. The message has something be committed at that time, which replicas replay. */
const HEARTBEAT_SQL = `select extract(epoch from clock_timestamp())::float8 * 1000 as time,
  pg_logical_emit_message(true, '${WRITERS_CHANNEL}', '')`;
/** When, by the clock of the primary, the last transaction was committed that the replica has replayed. */
const REPLAYED_SQL = 'select extract(epoch from pg_last_xact_replay_timestamp())::float8 * 1000 as time';

/** The key of a user as a caller, as `callerKey()` of requests writes it. */
export const userCallerKey = (userId: number): string => `user ${userId}`;

export interface ReplicaPools {
  readonly pools: readonly ConnectionPool[];
  readonly maxLagMs: number;
  readonly primaryUrl: string;
}

class Replica implements QueryExecutor {
  /** By the clock of the primary: it has everything that was committed until then. */
  replayedUntilMs = -Infinity;

  constructor(
    readonly pool: ConnectionPool,
    private readonly primary: QueryExecutor,
  ) {
    // The pool replaces an idle session that ends.
    pool.on('error', () => undefined);
  }

  async query<Row extends object>(statement: Statement): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>({ ...statement, types: RESULT_TYPES })).rows;
    } catch (error) {
      if (!isReplicaFault(error)) throw error;
      if (!isConflict(error) && databaseErrorCode(error) !== SHARE_USED_UP) this.replayedUntilMs = -Infinity;
      return this.primary.query(statement);
    }
  }
}

/** Whether the primary may answer what a replica could not: it is gone or behind, or replay was in the way. */
export function isReplicaFault(error: unknown): boolean {
  if (error instanceof ConnectionFailedError || isConflict(error)) return true;
  const code = databaseErrorCode(error) ?? '';
  // A table, column or function is not there: the replica has not come to the migration that made it.
  if (/^42(P01|703|883)$/.test(code)) return true;
  // After a time-out, asking another server as well would double the load that made it slow.
  return !isConnectionReusableAfter(error) && code !== '57014';
}

/**
 * The read replicas of `DATABASE_REPLICA_URLS`, and which request reads from them: those of callers who have not
 * written for `REPLICA_LAG_SECONDS`, from a replica that has everything that was committed until that long ago. Over
 * one connection to the primary the instances tell each other who wrote (`NOTIFY`), and the primary tells its time.
 */
export class Replicas {
  private readonly logger = new Logger('Replicas');
  private readonly stopping = new AbortController();
  private readonly requestReplica = new AsyncLocalStorage<Replica>();
  readonly pools = this.options.pools;
  private readonly replicas = this.pools.map((pool) => new Replica(pool, this.primary));
  /** Callers who wrote lately, on any instance. */
  private readonly writers = new LRUCache<string, true>({ max: MAX_WRITERS, ttl: this.options.maxLagMs });
  /** When the primary was asked last, and since when it has been heard, as `performance.now()` counts. */
  private heartbeat = { at: -Infinity, since: -Infinity };
  /** How much more the clock of the primary shows than `performance.now()`. */
  private clockOffset = 0;
  private nextReplicaIndex = 0;

  constructor(
    private readonly options: ReplicaPools,
    private readonly primary: QueryExecutor,
  ) {}

  /** The replica that the current request reads from; `undefined`: it reads from the primary. */
  get current(): Replica | undefined {
    return this.requestReplica.getStore();
  }

  /** Runs the rest of a request that only reads. @param caller the key of who sent it */
  routeRead(caller: string, rest: () => void): void {
    const usable =
      this.isListening && !this.writers.has(caller)
        ? this.replicas.filter((replica) => this.isFresh(replica))
        : [];
    const replica = usable[this.nextReplicaIndex++ % usable.length];
    if (replica) this.requestReplica.run(replica, rest);
    else rest();
  }

  /** Routes a caller to the primary for a while. @returns once the primary has taken the word for other instances, or cannot */
  async recordWrite(caller: string): Promise<void> {
    this.writers.set(caller, true);
    const statement = { text: 'select pg_notify($1, $2)', values: [WRITERS_CHANNEL, caller], name: 'notify' };
    // Without the primary nothing is read that other instances could answer from a replica too early.
    await this.primary.query(statement).catch(() => undefined);
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

  /** Whether all that callers wrote lately has been heard. */
  private get isListening(): boolean {
    const now = performance.now();
    return (
      now - this.heartbeat.at <= HEARTBEAT_TIMEOUT_MS && now - this.heartbeat.since > this.options.maxLagMs
    );
  }

  private isFresh({ replayedUntilMs }: Replica): boolean {
    return performance.now() + this.clockOffset - replayedUntilMs <= this.options.maxLagMs;
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
      connectionTimeoutMillis: LISTENER_CONNECT_TIMEOUT_MS,
      query_timeout: HEARTBEAT_QUERY_TIMEOUT_MS,
      keepAlive: true,
    });
    // The next query fails.
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
      }, true);
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  /** @param isOver whether an error ends it; else the work is done again, while what is known grows old */
  private async everyHeartbeat(work: () => Promise<void>, isOver = false): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (isOver) throw error;
      });
      await sleep(HEARTBEAT_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
