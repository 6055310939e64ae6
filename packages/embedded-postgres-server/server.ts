import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { EmbeddedDatabaseError } from './embedded-database.error.js';
import { freePort } from './free-port.js';
import { clearPostmasterLock, readPostmasterLock } from './postmaster-lock.js';
import type { Account } from './server-account.js';
import type { ServerBinaries } from './server-binaries.js';
import { serverEnvironment, serverOptions } from './server-settings.js';
import { ENDING, signalServer, type ServerSignal } from './server-signal.js';

export interface ServerPlan {
  cluster: string;
  logFile: string;
  binaries: ServerBinaries;
  account: Account | undefined;
  durable: boolean;
  /** A port to try first; by default a free one. */
  port?: number;
  log: (line: string) => void;
}

export interface RunningServer {
  port: number;
  /** Ends all sessions and the server: in order within 10 s, else roughly; safe to call again. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const ATTEMPTS = 20;

/**
 * Starts PostgreSQL on the cluster and waits until it takes connections. The server runs in a session of its own
 * and writes to a file: neither Ctrl-C in the terminal nor our death ends it, only `stop()` and the end of the
 * process by `process.exit` do. Whoever holds the claim of the directory may call this.
 */
export async function startServer(plan: ServerPlan): Promise<RunningServer> {
  if (statSync(plan.logFile, { throwIfNoEntry: false })) renameSync(plan.logFile, `${plan.logFile}.previous`);
  let reason = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await clearPostmasterLock(plan.cluster);
    const port = (attempt === 0 && plan.port) || (await freePort());
    const outcome = await launch(plan, port);
    if (typeof outcome !== 'string') return outcome;
    reason = outcome;
    if (/pre-existing shared memory block/.test(reason)) await sleep(500);
    else if (!/could not create any TCP\/IP sockets/.test(reason)) break;
  }
  throw new EmbeddedDatabaseError(
    `PostgreSQL did not start on ${plan.cluster}: ${reason} (log: ${plan.logFile})`,
  );
}

/** The running server, or why there is none. */
async function launch(plan: ServerPlan, port: number): Promise<RunningServer | string> {
  const output = openSync(plan.logFile, 'a');
  const logged = statSync(plan.logFile).size;
  const child = spawn(plan.binaries.postgres, serverOptions(plan.cluster, port, plan.durable), {
    ...plan.account,
    cwd: '/',
    detached: true,
    env: serverEnvironment(),
    stdio: ['ignore', output, output],
    windowsHide: true,
  });
  closeSync(output);
  child.unref();
  let failure = '';
  child.on('error', (error) => (failure = error.message));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (failure || hasEnded(child)) return failure || lastFatal(plan.logFile, logged, child);
    const lock = readPostmasterLock(plan.cluster);
    if (lock?.pid === child.pid && lock?.status === 'ready') return running(plan, child, port);
    await sleep(10);
  }
  child.kill('SIGQUIT');
  return `it was not ready within ${START_TIMEOUT_MS / 1000} s`;
}

function running({ log, logFile }: ServerPlan, child: ChildProcess, port: number): RunningServer {
  const signal = (name: ServerSignal) => signalServer(child.pid ?? 0, name);
  const atExit = () => signal('SIGINT');
  const onDeath = () => {
    process.off('exit', atExit);
    log(`the embedded PostgreSQL ended unexpectedly, see ${logFile}`);
  };
  process.once('exit', atExit);
  child.once('exit', onDeath);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    process.off('exit', atExit);
    child.off('exit', onDeath);
    await endChild(child, signal);
  };
  return { port, stop: () => (stopped ??= stop()) };
}

async function endChild(child: ChildProcess, signal: (name: ServerSignal) => void): Promise<void> {
  child.ref();
  for (const [name, patienceMs] of ENDING) {
    if (hasEnded(child)) return;
    signal(name);
    await once(child, 'exit', { signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

function lastFatal(logFile: string, from: number, child: ChildProcess): string {
  const lines = readFileSync(logFile).subarray(from).toString().trim().split('\n');
  const fatal = lines.findLast((line) => /(FATAL|PANIC):/.test(line)) ?? lines.at(-1);
  return (
    fatal?.replace(/^.*?(FATAL|PANIC):\s*/, '') ||
    `it ended with ${child.signalCode ?? `code ${child.exitCode}`}`
  );
}
