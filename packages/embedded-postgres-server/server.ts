import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { SERVER_USER } from './cluster.js';
import { EmbeddedDatabaseError } from './embedded-database.error.js';
import { freePort, hasEnded, kill, lastFatal, launch, stopServer, type ServerPlan } from './launch.js';

/** Long enough to recover what `max_wal_size` lets grow, on a slow disk. */
const START_TIMEOUT_MS = 300_000;
/** A lock file under which nothing has answered for this long is that of a dead server, whoever has its pid now. */
const STALE_MS = 5_000;
/** The advisory lock that each process which uses the server shares. */
const USERS_LOCK = 4_711;

export const databaseUrl = (port: number, password: string, database = SERVER_USER): string =>
  `postgres://${SERVER_USER}:${password}@127.0.0.1:${port}/${database}`;

/**
 * The server of a cluster, as one of the processes that use it sees it. Each holds a connection with a shared advisory
 * lock: who leaves and can have the lock for itself is the last, and stops the server. A connection that breaks has the
 * server started again, on the same port.
 */
export class Server {
  port = 0;
  private connection: pg.Client | undefined;
  private readonly stopping = new AbortController();
  private rejoining: Promise<void> = Promise.resolve();
  private stopped: Promise<boolean> | undefined;

  constructor(private readonly plan: ServerPlan) {}

  async start(port?: number, signal = this.stopping.signal): Promise<void> {
    this.port = port ?? (await freePort());
    await this.join(signal, true);
  }

  stop(): Promise<boolean> {
    return (this.stopped ??= this.leave());
  }

  /** Connects to the server, which is started where none runs. */
  private async join(signal: AbortSignal, isAnyPort = false): Promise<void> {
    let child: ChildProcess | undefined;
    let logged = 0;
    let refusedSince = performance.now();
    const deadline = performance.now() + START_TIMEOUT_MS;
    let isUp = false;
    try {
      while (!signal.aborted && performance.now() < deadline) {
        const state = await this.connect(child);
        isUp = state === 'up';
        if (isUp) return;
        if (state === 'starting') refusedSince = performance.now();
        if (state === 'down' && !child) {
          logged = statSync(this.plan.logFile, { throwIfNoEntry: false })?.size ?? 0;
          child = launch(this.plan, this.port);
        } else if (child && hasEnded(child)) {
          const reason = lastFatal(this.plan.logFile, logged);
          child = undefined;
          const isTaken = reason.includes('could not create any TCP/IP sockets');
          if (isTaken && isAnyPort) this.port = await freePort();
          else if (!isTaken && !/lock file|pre-existing shared memory/.test(reason)) {
            throw new EmbeddedDatabaseError(
              `PostgreSQL did not start on ${this.plan.cluster}: ${reason} (log: ${this.plan.logFile})`,
            );
          }
          // PostgreSQL itself refuses a cluster whose shared memory is in use, with or without the file.
          if (performance.now() - refusedSince > STALE_MS) rmSync(lockFile(this.plan), { force: true });
          await sleep(100);
        }
        await sleep(10);
      }
    } finally {
      if (child && !isUp) await kill(child);
    }
    throw new EmbeddedDatabaseError('The start of the embedded database was given up.');
  }

  private async connect(child?: ChildProcess): Promise<'up' | 'starting' | 'down'> {
    const [pid, , , port, , , , status] = readLock(this.plan);
    if (!port || !isAlive(pid)) return 'down';
    // Until it has its port, another program may answer there.
    if (Number(pid) === child?.pid && status?.trim() !== 'ready') return 'starting';
    const connection = new pg.Client({
      connectionString: databaseUrl(Number(port), this.plan.password, 'postgres'),
      application_name: 'embedded-postgres-server',
      connectionTimeoutMillis: 10_000,
      query_timeout: 30_000,
    });
    connection.on('error', () => undefined);
    try {
      await connection.connect();
      await connection.query('select pg_advisory_lock_shared($1)', [USERS_LOCK]);
      await ensureDatabase(connection);
    } catch (error) {
      await connection.end().catch(() => undefined);
      return stateOf(error);
    }
    this.port = Number(port);
    this.connection = connection;
    connection.once('end', () => {
      if (!this.isStopping()) this.rejoining = this.rejoin();
    });
    return 'up';
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async rejoin(): Promise<void> {
    const { log, logFile } = this.plan;
    const { signal } = this.stopping;
    this.connection = undefined;
    log(`the embedded PostgreSQL ended unexpectedly and is started again, see ${logFile}`);
    let said = '';
    for (let pause = 100; !this.isStopping(); pause = 1_000) {
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      try {
        await this.join(signal);
        log('the embedded PostgreSQL runs again');
        return;
      } catch (error) {
        const { message } = error as Error;
        if (message !== said && !this.isStopping())
          log(`the embedded PostgreSQL does not start, and is tried again: ${message}`);
        said = message;
      }
    }
  }

  private async leave(): Promise<boolean> {
    this.stopping.abort();
    await this.rejoining;
    const { connection } = this;
    if (!connection) return false;
    try {
      await connection.query('select pg_advisory_unlock_shared($1)', [USERS_LOCK]);
      const text = 'select pg_try_advisory_lock($1) as "isLast"';
      const { rows } = await connection.query<{ isLast: boolean }>(text, [USERS_LOCK]);
      if (rows[0]?.isLast) await stopServer(this.plan);
      return rows[0]?.isLast ?? false;
    } catch {
      // A server that does not answer now is found by the next start.
      return false;
    } finally {
      await connection.end().catch(() => undefined);
    }
  }
}

const lockFile = ({ cluster }: ServerPlan) => join(cluster, 'postmaster.pid');

/** The lines of `postmaster.pid`: pid, data directory, start time, port and others. */
function readLock(plan: ServerPlan): string[] {
  try {
    return readFileSync(lockFile(plan), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function isAlive(pid: string | undefined): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function stateOf(error: unknown): 'starting' | 'down' {
  const { code = '', message } = error as { code?: string; message: string };
  if (code === 'ECONNREFUSED') return 'down';
  if (/^(ECONN|EPIPE|57P)/.test(code) || /^(Connection terminated|timeout expired)/.test(message))
    return 'starting';
  if (code !== '28P01') throw error;
  throw new EmbeddedDatabaseError(
    'The file "password" does not hold the password of the embedded database: put the old one back, or delete the directory to begin with an empty database.',
  );
}

/** Two processes may make it at once. */
async function ensureDatabase(connection: pg.Client): Promise<void> {
  const { rowCount } = await connection.query('select from pg_database where datname = $1', [SERVER_USER]);
  if (rowCount) return;
  try {
    await connection.query(`create database ${pg.escapeIdentifier(SERVER_USER)}`);
  } catch (error) {
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}
