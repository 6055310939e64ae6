import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

import { atExit } from './cleanup.mjs';

/**
 * Starts a program, and makes sure that neither it nor its children outlive this process. The child has a
 * promise `ended` of its exit code or the name of the signal that ended it.
 */
export function start(command, args, options) {
  const child = spawn(command, args, options);
  const forget = atExit(() => {
    for (const pid of [...descendants(child.pid), child.pid]) signal(pid, 'SIGKILL');
  });
  child.ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, name) => resolve(code ?? name));
  });
  void child.ended.then(forget);
  return child;
}

/** Kills a child and everything that it has started. */
export async function destroy(child) {
  if (hasEnded(child)) return;
  const pids = [...descendants(child.pid), child.pid];
  for (const pid of pids) signal(pid, 'SIGKILL');
  await child.ended;
}

export const hasEnded = (child) => child.exitCode !== null || child.signalCode !== null;

/** @returns whether the process existed */
export function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}

/** All descendants of a process. */
export function descendants(pid) {
  const parents = new Map();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      // The format is "pid (name, which may contain anything) state ppid …".
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      parents.set(parent, [...(parents.get(parent) ?? []), Number(entry)]);
    } catch {
      // The process has ended meanwhile.
    }
  }
  const found = [];
  collect(pid, parents, found);
  return found;
}

function collect(pid, parents, found) {
  for (const child of parents.get(pid) ?? []) {
    found.push(child);
    collect(child, parents, found);
  }
}
