/** `SIGINT` ends all sessions and stops in order, `SIGQUIT` stops at once (the next start recovers). */
export type ServerSignal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL';

/** How a server is asked to end: each signal with the milliseconds it gets to work before the next, rougher one. */
export const ENDING: readonly (readonly [ServerSignal, number])[] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 6_000],
  ['SIGKILL', 3_000],
];

/** The same for one that does not serve yet. */
export const ENDING_AT_ONCE: typeof ENDING = ENDING.slice(1);

/** Sends the signal; a process that is gone already is no error. (On Windows each of them ends it at once.) */
export function signalServer(pid: number, signal: ServerSignal): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
