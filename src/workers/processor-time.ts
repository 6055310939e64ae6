import { readFileSync } from 'node:fs';

/** Linux counts the processor time of processes in hundredths of a second, whatever the clock of its kernel. */
const TICK_MS = 10;
/** Where `utime` and `stime` are among the fields after the name, which may hold spaces: proc_pid_stat(5). */
const USER = 11;
const SYSTEM = 12;

/**
 * The processor time that a process has used since its start, in all its threads, in milliseconds.
 *
 * @returns `undefined` where the process is gone, and on systems without `/proc`
 */
export function processorMsOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS;
  } catch {
    return undefined;
  }
}
