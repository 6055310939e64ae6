import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { EmbeddedDatabaseError } from './embedded-database.error.js';
import { isPostmasterOf } from './process-identity.js';
import { ENDING, signalServer } from './server-signal.js';

/** The contents that a server writes to `postmaster.pid` in its cluster, from its start to its orderly end. */
export interface PostmasterLock {
  pid: number;
  /** `starting`, `ready`, `stopping` */
  status: string;
}

/** The lock of a cluster, null when there is none (or none that can be read). */
export function readPostmasterLock(cluster: string): PostmasterLock | null {
  const lines = readLines(cluster);
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid > 0 ? { pid, status: lines[7]?.trim() ?? 'starting' } : null;
}

/**
 * Makes a cluster ready to be started after its last owner was killed: ends the server that was left running
 * (it holds sessions and locks of the dead process), and clears a lock that was left behind.
 */
export async function clearPostmasterLock(cluster: string): Promise<void> {
  const lock = readPostmasterLock(cluster);
  if (lock && isPostmasterOf(lock.pid, cluster)) await end(lock.pid, cluster);
  disown(cluster);
}

async function end(pid: number, cluster: string): Promise<void> {
  for (const [signal, patienceMs] of ENDING) {
    signalServer(pid, signal);
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      if (!isPostmasterOf(pid, cluster)) return;
      await sleep(10);
    }
  }
  throw new EmbeddedDatabaseError(
    `PostgreSQL, left running as process ${pid} on ${cluster}, does not end: kill it.`,
  );
}

/**
 * The pid of a lock left behind may belong to any program by now, and then PostgreSQL refuses to start. The file
 * itself also names the shared memory by which PostgreSQL notices survivors of the old server, so it stays, with
 * our own pid in it: that of the new server's parent, which PostgreSQL takes for no rival.
 */
function disown(cluster: string): void {
  const [pid, ...rest] = readLines(cluster);
  if (pid === undefined) return;
  const file = join(cluster, 'postmaster.pid');
  if (Number.parseInt(pid, 10) > 0) writeFileSync(file, [process.pid, ...rest].join('\n'));
  else rmSync(file, { force: true });
}

function readLines(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}
