import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import pg from 'pg';

import { readPassword, SERVER_USER, serverEnvironment } from './cluster.js';
import { EmbeddedDatabaseError, type Account, type ServerBinaries } from './server-binaries.js';

/** Long enough to replay a log of `max_wal_size` from a slow disk. */
const START_TIMEOUT_S = 300;
/** If no server answers for this long, the lock file is stale, even if another process now has the pid in the file. */
const STALE_MS = 5_000;
/** The key of the advisory lock that the processes using the server share. */
const USERS_LOCK = 4_711;

interface ServerPlan {
  cluster: string;
  logFile: string;
  binaries: ServerBinaries;
  account: Account | undefined;
  log: (line: string) => void;
}

/**
 * Starts, shares and stops the server of a cluster. Each process that uses the server holds a connection with a shared
 * advisory lock. A process that leaves tries to get the exclusive lock. If it gets the lock, it is the last process that
 * uses the server, and stops the server. If the connection breaks, the class restarts the server on the same port.
 */
export class Server {
  private port = 0;
  private connection: pg.Client | undefined;
  private readonly stopping = new AbortController();
  private rejoining: Promise<void> = Promise.resolve();
  private stopped: Promise<boolean> | undefined;

  constructor(private readonly plan: ServerPlan) {}

  async start(signal: AbortSignal = this.stopping.signal): Promise<void> {
    this.port = await freePort();
    await this.join(signal, true);
  }

  stop(): Promise<boolean> {
    return (this.stopped ??= this.leave());
  }

  get url(): string {
    return `postgres://${SERVER_USER}:${readPassword(this.plan.cluster)}@127.0.0.1:${this.port}/postgres`;
  }

  /**
   * Connects to the server. Starts the server if it does not run.
   *
   * @param isAnyPort whether the server may use another port if its port is taken
   */
  private async join(signal: AbortSignal, isAnyPort = false): Promise<void> {
    let refusedSince = performance.now();
    while (!signal.aborted) {
      const state = await this.connect();
      if (state === 'up') return;
      if (state === 'starting') refusedSince = performance.now();
      const reason = state === 'down' ? await startServer(this.plan, this.port, signal) : undefined;
      if (reason?.includes('could not create any TCP/IP sockets') && isAnyPort) this.port = await freePort();
      else if (reason && !/lock file|PID file|pre-existing shared memory/.test(reason))
        throw new EmbeddedDatabaseError(
          `PostgreSQL did not start on ${this.plan.cluster}: ${reason} (log: ${this.plan.logFile})`,
        );
      // Removing the file is safe: PostgreSQL itself refuses to start while another server uses the shared memory.
      if (reason && performance.now() - refusedSince > STALE_MS) rmSync(lockFile(this.plan), { force: true });
      await sleep(reason ? 100 : 10);
    }
    throw new EmbeddedDatabaseError('The start of the embedded database was aborted.');
  }

  private async connect(): Promise<'up' | 'starting' | 'down'> {
    const [pid, , , port] = readLock(this.plan);
    if (!port || !isAlive(Number(pid))) return 'down';
    this.port = Number(port);
    const connection = new pg.Client({
      connectionString: this.url,
      application_name: 'embedded-postgres-server',
      connectionTimeoutMillis: 10_000,
      query_timeout: 30_000,
    });
    connection.on('error', () => undefined);
    try {
      await connection.connect();
      await connection.query('select pg_advisory_lock_shared($1)', [USERS_LOCK]);
    } catch (error) {
      await connection.end().catch(() => undefined);
      return toServerState(error);
    }
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
    log(`the embedded PostgreSQL stopped unexpectedly and is being restarted, see ${logFile}`);
    for (let pause = 100; !this.isStopping(); pause = Math.min(pause * 2, 60_000)) {
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      try {
        await this.join(signal);
        log('the embedded PostgreSQL is running again');
        return;
      } catch (error) {
        if (!this.isStopping())
          log(`the embedded PostgreSQL did not start, trying again: ${(error as Error).message}`);
      }
    }
  }

  private async leave(): Promise<boolean> {
    this.stopping.abort();
    await this.rejoining;
    const { connection } = this;
    try {
      await connection?.query('select pg_advisory_unlock_shared($1)', [USERS_LOCK]);
      const text = 'select pg_try_advisory_lock($1) as "isLast"';
      const found = await connection?.query<{ isLast: boolean }>(text, [USERS_LOCK]);
      const isLast = found?.rows[0]?.isLast ?? false;
      if (isLast) await stopServer(this.plan);
      return isLast;
    } catch {
      // The server does not answer. The next process that opens the directory connects to it or starts it again.
      return false;
    } finally {
      await connection?.end().catch(() => undefined);
    }
  }
}

/**
 * Starts the server and waits until it accepts connections. The server has a session of its own, so Ctrl-C in the
 * terminal does not stop it.
 *
 * @returns the reason if the server did not start
 */
async function startServer(plan: ServerPlan, port: number, signal: AbortSignal): Promise<string | undefined> {
  const { binaries, account, cluster, logFile } = plan;
  const output = openSync(logFile, 'a');
  const from = fstatSync(output).size;
  const args = ['start', '-D', cluster, '-w', '-t', String(START_TIMEOUT_S), '-o', `-p ${port}`];
  const options = { ...account, cwd: '/', env: serverEnvironment() };
  const child = spawn(binaries.pgCtl, args, { ...options, stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = once(child, 'exit');
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([ended, sleep(50)]);
    if (signal.aborted) await stopServer(plan, 'immediate');
  }
  if (child.exitCode === 0) return undefined;
  const written = readFileSync(logFile).subarray(from).toString().trim().split('\n');
  // Remaining processes of a killed server write this line to the same file.
  const lines = written.filter((line) => !line.includes('unexpected postmaster exit'));
  const fatal = lines.findLast((line) => /(FATAL|PANIC):/.test(line)) ?? lines.at(-1);
  return fatal?.replace(/^.*?(FATAL|PANIC):\s*/, '') || 'it stopped without a message';
}

/**
 * Ends all sessions and stops the server. If this takes longer than 8 s, aborts the server (mode `immediate`). Does
 * nothing if no server runs.
 */
export async function stopServer(
  plan: Pick<ServerPlan, 'binaries' | 'account' | 'cluster'>,
  mode: 'fast' | 'immediate' = 'fast',
): Promise<void> {
  const { binaries, account, cluster } = plan;
  const args = ['stop', '-D', cluster, '-m', mode, '-t', '8'];
  const options = { ...account, cwd: '/', env: serverEnvironment() };
  await promisify(execFile)(binaries.pgCtl, args, options).catch(() =>
    mode === 'fast' ? stopServer(plan, 'immediate') : undefined,
  );
}

/** Returns a port of 127.0.0.1 on which nothing listens at the moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
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

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function toServerState(error: unknown): 'starting' | 'down' {
  const { code = '', message } = error as { code?: string; message: string };
  if (code === 'ECONNREFUSED') return 'down';
  if (/^(ECONN|EPIPE|57P)/.test(code) || /^(Connection terminated|timeout expired)/.test(message))
    return 'starting';
  throw error;
}
