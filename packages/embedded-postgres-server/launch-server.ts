import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { readPostmasterLock } from './postmaster-lock.js';
import type { Account } from './server-account.js';
import type { ServerBinaries } from './server-binaries.js';
import { serverEnvironment, serverOptions, type ServerSettings } from './server-settings.js';
import { ENDING, ENDING_AT_ONCE, signalServer, type ServerSignal } from './server-signal.js';

export interface ServerPlan {
  cluster: string;
  logFile: string;
  binaries: ServerBinaries;
  account: Account | undefined;
  durable: boolean;
  settings: ServerSettings;
  /** A port to try first; by default a free one. */
  port?: number;
  log: (line: string) => void;
  /** Whether the directory is still this process's. */
  isOurs: () => boolean;
}

export interface RunningServer {
  port: number;
  /** Whether it runs: not while it is being started again. */
  readonly isUp: boolean;
  /** How often it ended by itself and was started again. */
  readonly restarts: number;
  /** Ends all sessions and the server: in order within 10 s, else roughly; safe to call again. */
  stop(): Promise<void>;
}

/** Long enough to recover what `max_wal_size` lets grow, on a slow disk: who ends it has the next one begin anew. */
export const START_TIMEOUT_MS = 300_000;

/** Why there is none where the start was given up. */
const STOPPED = 'it is stopped';

/**
 * The process of a server that takes connections, or why there is none: then it has ended. The end of this process by
 * `process.exit` ends it meanwhile.
 */
export async function launch(
  plan: ServerPlan,
  port: number,
  signal?: AbortSignal,
): Promise<ChildProcess | string> {
  if (signal?.aborted) return STOPPED;
  const output = openSync(plan.logFile, 'a');
  const logged = statSync(plan.logFile).size;
  const child = spawn(plan.binaries.postgres, serverOptions(plan, port), {
    ...plan.account,
    cwd: '/',
    detached: true,
    env: serverEnvironment(),
    stdio: ['ignore', output, output],
    windowsHide: true,
  });
  closeSync(output);
  child.unref();
  const interrupt = (): void => {
    signalChild(child, 'SIGQUIT');
  };
  process.once('exit', interrupt);
  try {
    return await untilReady(plan, child, logged, signal);
  } finally {
    process.off('exit', interrupt);
  }
}

/** @param logged the size of its log when it was started */
async function untilReady(
  plan: ServerPlan,
  child: ChildProcess,
  logged: number,
  signal: AbortSignal | undefined,
): Promise<ChildProcess | string> {
  let failure = '';
  child.on('error', (error) => (failure = error.message));
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (signal?.aborted) break;
    if (failure || hasEnded(child)) return failure || lastFatal(plan.logFile, logged, child);
    const lock = readPostmasterLock(plan.cluster);
    if (lock?.pid === child.pid && lock?.status === 'ready') return child;
    await sleep(10);
  }
  await endChild(child, ENDING_AT_ONCE);
  return signal?.aborted ? STOPPED : `it was not ready within ${START_TIMEOUT_MS / 1000} s`;
}

export async function endChild(child: ChildProcess, ending = ENDING): Promise<void> {
  child.ref();
  for (const [name, patienceMs] of ending) {
    if (child.pid === undefined || hasEnded(child)) return;
    signalChild(child, name);
    await once(child, 'exit', { signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
  }
}

/** Sends the signal unless it has ended: its pid may be another process's by then. */
export function signalChild(child: ChildProcess, name: ServerSignal): void {
  if (child.pid !== undefined && !hasEnded(child)) signalServer(child.pid, name);
}

export const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

function lastFatal(logFile: string, from: number, child: ChildProcess): string {
  const lines = readFrom(logFile, from).trim().split('\n');
  const fatal = lines.findLast((line) => /(FATAL|PANIC):/.test(line)) ?? lines.at(-1);
  return (
    fatal?.replace(/^.*?(FATAL|PANIC):\s*/, '') ||
    `it ended with ${child.signalCode ?? `code ${child.exitCode}`}`
  );
}

/** The text of a file behind its first bytes: what comes before may be as large as the disk. */
function readFrom(file: string, from: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - from));
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, from));
  } finally {
    closeSync(descriptor);
  }
}
