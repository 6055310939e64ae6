/** Pins processes to cores, and measures their processor time. Only on Linux; elsewhere, nothing is pinned. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const TICKS_PER_SECOND = 100; // USER_HZ, the unit of /proc/<pid>/stat on every Linux architecture

/** @returns {string | null} the reason why processes cannot be pinned, or null if they can */
export function whyUnpinned() {
  if (spawnSync('taskset', ['-p', String(process.pid)]).status !== 0) return 'taskset does not work';
  if (availableParallelism() < 2) return 'there is only one core';
  return null;
}

/**
 * @param {string | null} cpus in the notation of taskset (`0`, `1-3`); null to pin nothing
 * @param {string[]} command
 */
export const pinned = (cpus, command) => (cpus === null ? command : ['taskset', '-c', cpus, ...command]);

/**
 * Pins a running process, its threads and its children. Processes that it starts later inherit this.
 * @param {number} pid
 * @param {string} cpus
 */
export function pinTree(pid, cpus) {
  for (const process of [pid, ...childrenOf(pid)]) {
    try {
      execFileSync('taskset', ['-apc', cpus, String(process)], { stdio: 'ignore' });
    } catch (error) {
      if (process === pid) throw error; // a child may have ended
    }
  }
}

/** @param {number} pid @returns {string} the command of a local process, or '' if there is none */
export function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

/** @param {number} pid @returns {number} the parent's id, or 0 if it is unknown */
export const parentOf = (pid) => Number(statOf(pid)?.[1] ?? 0);

/** @param {number} pid @returns {number | null} seconds of processor time of all threads so far, or null if unknown */
export function cpuSeconds(pid) {
  const stat = statOf(pid);
  return stat && (Number(stat[11]) + Number(stat[12])) / TICKS_PER_SECOND;
}

/**
 * @param {number} pid
 * @returns {number} seconds of processor time of a process and its children, including those that have ended
 */
export function treeCpuSeconds(pid) {
  const ended = statOf(pid);
  const ticks = ended ? Number(ended[13]) + Number(ended[14]) : 0;
  return [pid, ...childrenOf(pid)].reduce(
    (sum, each) => sum + (cpuSeconds(each) ?? 0),
    ticks / TICKS_PER_SECOND,
  );
}

/**
 * Returns the fields of /proc/<pid>/stat after the command, which may contain spaces: [0] state, [1] parent, [11] utime,
 * [12] stime, and [13] and [14] those of children that have ended.
 */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  } catch {
    return null;
  }
}

function childrenOf(pid) {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.map(Number).filter((child) => parentOf(child) === pid);
}
