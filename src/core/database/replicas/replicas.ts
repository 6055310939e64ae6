import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

import { ConnectionPool } from '../connection-pool.js';
import { RecentWriters } from './recent-writers.js';
import { onReplica, Reader, Replica } from './replica.js';

/** How often the positions of the primary and of replicas are compared. */
const PULSE_MS = 250;
/** How much longer than the lag that is allowed positions are remembered. */
const REMEMBERED_MS = 5_000;

/** The file that is written to begins with its timeline, in eight hexadecimal digits. */
const PRIMARY_POSITION = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "position",
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`;
/**
 * A server that was promoted has no position to follow. The timeline that a replica receives shows to roles with
 * `pg_read_all_stats`; the one in its control file shows to all, but follows a promotion only with the next checkpoint.
 */
const REPLICA_POSITION = `select case when pg_is_in_recovery()
  then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 end as "position",
  greatest((select timeline_id from pg_control_checkpoint()),
    (select received_tli from pg_stat_wal_receiver)) as timeline`;

/** The connections to replicas, and how far these may be behind. */
export class ReplicaPools {
  constructor(
    readonly pools: readonly ConnectionPool[],
    readonly lagMs: number,
    readonly primaryUrl: string,
  ) {}
}

interface Position {
  readonly at: number;
  readonly position: number;
}

/** A server's position in the log, and its timeline: each promotion begins a new one. */
interface Progress {
  readonly position: number | null;
  readonly timeline: number;
}

/**
 * The read replicas of `DATABASE_REPLICA_URLS`, and which request reads from them: those of callers who have not
 * written for `REPLICA_LAG_SECONDS`, from a replica that is known to have everything that was committed until that long
 * ago.
 *
 * How far a replica is behind is not asked of it, since one that hears nothing from its primary does not know. Each
 * process notes the position of the primary's log several times a second, and looks up when the replica's position was
 * the primary's. Positions of two timelines cannot be compared: a replica that a promotion has left behind may be
 * further on in its own timeline, and has nothing of the new one.
 */
export class Replicas {
  private readonly logger = new Logger('Replicas');
  private readonly stopping = new AbortController();
  private readonly replicas: readonly Replica[];
  private readonly writers: RecentWriters;
  /** Of the timeline that the primary is in. */
  private positions: Position[] = [];
  private timeline = 0;
  private turn = 0;
  /** How far a replica may be behind, and how long a caller who wrote reads from the primary. */
  private readonly lagMs: number;

  constructor({ pools, lagMs, primaryUrl }: ReplicaPools, primary: Reader) {
    this.lagMs = lagMs;
    this.replicas = pools.map((pool) => new Replica(pool, primary));
    this.writers = new RecentWriters(primary, primaryUrl, lagMs);
  }

  /** Tells replicas apart. */
  nameOf(reader: Reader): string {
    return `replica ${this.replicas.indexOf(reader as Replica)}`;
  }

  /** The replicas, in the order of `DATABASE_REPLICA_URLS`, and whether each is read from now. */
  get states(): { readonly pool: ConnectionPool; readonly isUsable: boolean }[] {
    return this.replicas.map((replica) => ({ pool: replica.pool, isUsable: this.isUsable(replica) }));
  }

  /** Runs the rest of a request that only reads. @param caller the key of who sent it */
  route(caller: string, rest: () => void): void {
    const replica = this.writers.has(caller) ? undefined : this.next();
    if (replica) onReplica(replica, rest);
    else rest();
  }

  /** Has a caller read from the primary for a while. */
  wrote(caller: string): Promise<void> {
    return this.writers.add(caller);
  }

  start(): void {
    void this.follow();
    for (const replica of this.replicas) void this.watch(replica);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([
      this.writers.stop(),
      ...this.replicas.map(({ pool }) => pool.end().catch(() => undefined)),
    ]);
  }

  /** The replica whose turn it is among those that are not too far behind. */
  private next(): Replica | undefined {
    const usable = this.replicas.filter((replica) => this.isUsable(replica));
    return usable[this.turn++ % usable.length];
  }

  private isUsable({ freshUntil }: Replica): boolean {
    return performance.now() - freshUntil <= this.lagMs;
  }

  /** Notes the position of the primary. */
  private async follow(): Promise<void> {
    await this.everyPulse(async () => {
      // Before it is asked: what was committed until then is within its position.
      const at = performance.now();
      const [row] = await this.writers.query<Progress>(PRIMARY_POSITION);
      if (row) this.note(row, at);
      const forgotten = at - this.lagMs - REMEMBERED_MS;
      this.positions = this.positions.filter((position) => position.at > forgotten);
    });
  }

  private note({ position, timeline }: Progress, at: number): void {
    if (timeline !== this.timeline) {
      this.timeline = timeline;
      this.positions = [];
      for (const replica of this.replicas) replica.freshUntil = -Infinity;
    }
    this.positions.push({ at, position: position ?? -Infinity });
  }

  private async watch(replica: Replica): Promise<void> {
    let wasUsable = true;
    await this.everyPulse(async () => {
      try {
        const { rows } = await replica.pool.query<Progress>(REPLICA_POSITION);
        const [{ position, timeline } = { position: null, timeline: 0 }] = rows;
        const reached = timeline === this.timeline && position !== null ? position : -Infinity;
        replica.freshUntil = this.positions.findLast(({ position }) => position <= reached)?.at ?? -Infinity;
      } finally {
        const isUsable = this.isUsable(replica);
        if (isUsable !== wasUsable && this.positions.length > 1) {
          const { host } = new URL(replica.pool.options.connectionString ?? '');
          this.logger[isUsable ? 'log' : 'warn'](
            `The replica ${host} is ${isUsable ? 'read from' : 'down or too far behind'}`,
          );
          wasUsable = isUsable;
        }
      }
    });
  }

  private async everyPulse(work: () => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // A server that does not answer is asked again; meanwhile what is known of it grows old.
      await work().catch(() => undefined);
      await sleep(PULSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
