import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * When the living process `pid` began, as a text that is only good for comparing; null when there is none.
 * A pid alone says little, since the system gives it to another program later; pid and beginning are unique.
 * A zombie counts as gone: in a container without an init process nobody may ever collect it.
 */
export function processStart(pid: number): string | null {
  if (process.platform === 'linux') return linuxStart(pid);
  if (!answersSignals(pid)) return null;
  if (process.platform === 'win32') return 'unknown';
  return output('ps', ['-o', 'lstart=', '-p', String(pid)]) || null;
}

/** Whether `pid` is a `postgres` server that was started with `-D cluster`: never signal it before asking this. */
export function isPostmasterOf(pid: number, cluster: string): boolean {
  if (processStart(pid) === null) return false;
  if (process.platform === 'win32') {
    return output('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']).includes('"postgres.exe"');
  }
  if (process.platform !== 'linux') {
    const command = output('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return command.includes(`postgres -D ${cluster} `);
  }
  const [program = '', ...args] = read(`/proc/${pid}/cmdline`).split('\0');
  return basename(program) === 'postgres' && args[args.indexOf('-D') + 1] === cluster;
}

/**
 * `/proc/<pid>/stat` is `pid (name) state …`; the name may hold anything, the 22nd field is the start in clock ticks.
 */
function linuxStart(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '' || fields[0] === 'Z' || fields[0] === 'X') return null;
  return `${read('/proc/sys/kernel/random/boot_id').trim()} ${fields[19]}`;
}

function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function output(program: string, args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}
