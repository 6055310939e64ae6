import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { migrationOptions } from './data-source-options.js';

/** Any number, the same in every instance: the advisory lock under which one of them migrates. */
export const MIGRATION_LOCK = 7_311_046;

const LOOK_EVERY_MS = 10_000;

/** A session of the server that is waited for. What the role may not see of it is null. */
interface Session {
  /** 0: a transaction that is prepared for a commit in two phases, and has no session. */
  readonly pid: number;
  /** Whether it has the lock of migrations; else a statement of a migration waits for it. */
  readonly isMigrating: boolean;
  readonly application: string | null;
  readonly role: string | null;
  readonly state: string | null;
  readonly since: string | null;
}

const WAITED_FOR = `
  with found (pid, "isMigrating") as (
    select distinct unnest(pg_blocking_pids(pid)), false from pg_stat_activity
    where datname = current_database() and application_name = $1
    union all select pid, true from pg_locks
    where locktype = 'advisory' and granted and (classid, objid, objsubid) = (0, ${MIGRATION_LOCK}, 1)
      and database = (select oid from pg_database where datname = current_database())
  )
  select pid, "isMigrating", application_name as application, usename as role, state,
    to_char(xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
  from found left join pg_stat_activity using (pid) order by "isMigrating" desc, pid`;

/** Has the log say what migrations wait for. Looks on a connection of the pool: that of the migrations is waiting. */
export class MigrationWaits {
  private readonly logger = new Logger('Migrations');
  private readonly application: string;
  private isTurn = true;
  private isLooking = false;
  private said = '';

  constructor(
    private readonly dataSource: DataSource,
    private readonly everyMs = LOOK_EVERY_MS,
  ) {
    const { applicationName } = migrationOptions(dataSource.options) as { applicationName: string };
    this.application = applicationName;
  }

  /** Says what holds up the migrations of any instance for as long as the work lasts. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const timer = setInterval(() => void this.look(), this.everyMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  /** Says who else migrates until it is this instance's turn. */
  async forTurn(wait: () => Promise<void>): Promise<void> {
    this.isTurn = false;
    await wait();
    this.isTurn = true;
  }

  /** Says nothing where the server cannot be asked: one that only speaks the protocol of PostgreSQL may not know. */
  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    const sessions = await this.dataSource.query<Session[]>(WAITED_FOR, [this.application]).catch(() => []);
    this.isLooking = false;
    const text = sessions
      .filter(({ isMigrating }) => !(isMigrating && this.isTurn))
      .map(sentence)
      .join(' ');
    if (text && text !== this.said) this.logger.warn(text);
    this.said = text;
  }
}

function sentence({ pid, isMigrating, application, role, state, since }: Session): string {
  if (pid === 0)
    return 'Migrations wait for a prepared transaction: commit it or roll it back, see pg_prepared_xacts.';
  const known = [application, role && `role ${role}`, state, since && `transaction since ${since}`];
  const session = `session ${pid} (${known.filter(Boolean).join(', ')})`;
  return isMigrating
    ? `This instance waits for its turn: ${session} migrates.`
    : `Migrations wait for ${session}: let it end, or end it by "select pg_terminate_backend(${pid})".`;
}
