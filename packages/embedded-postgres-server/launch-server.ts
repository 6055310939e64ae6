import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { readPostmasterLock } from './postmaster-lock.js';
import type { Account } from './server-account.js';
import type { ServerBinaries } from './server-binaries.js';
import { serverEnvironment, serverOptions } from './server-settings.js';
import { ENDING, type ServerSignal } from './server-signal.js';

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
  /** Whether it runs: not while it is being started again. */
  readonly isUp: boolean;
  /** How often it ended by itself and was started again. */
  readonly restarts: number;
  /** Ends all sessions and the server: in order within 10 s, else roughly; safe to call again. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** The process of a server that takes connections, or why there is none. */
export async function launch(
  plan: ServerPlan,
  port: number,
  signal?: AbortSignal,
): Promise<ChildProcess | string> {
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
    if (signal?.aborted) break;
    if (failure || hasEnded(child)) return failure || lastFatal(plan.logFile, logged, child);
    const lock = readPostmasterLock(plan.cluster);
    if (lock?.pid === child.pid && lock?.status === 'ready') return child;
    await sleep(10);
  }
  child.kill('SIGQUIT');
  return `it was not ready within ${START_TIMEOUT_MS / 1000} s`;
}

export async function endChild(child: ChildProcess, signal: (name: ServerSignal) => void): Promise<void> {
  child.ref();
  for (const [name, patienceMs] of ENDING) {
    if (hasEnded(child)) return;
    signal(name);
    await once(child, 'exit', { signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
  }
}

export const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

function lastFatal(logFile: string, from: number, child: ChildProcess): string {
  const lines = readFileSync(logFile).subarray(from).toString().trim().split('\n');
  const fatal = lines.findLast((line) => /(FATAL|PANIC):/.test(line)) ?? lines.at(-1);
  return (
    fatal?.replace(/^.*?(FATAL|PANIC):\s*/, '') ||
    `it ended with ${child.signalCode ?? `code ${child.exitCode}`}`
  );
}
