import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The time that processes may take to stop. */
const PATIENCE_MS = 10_000;

/** Sets the temporary folder of this process and all that it starts. */
export function setTemporaryFolder(folder) {
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder;
}

/**
 * Lists what a test run has left behind, one line each: files in its temporary folder, and processes that
 * were started with that folder. Processes are found on Linux only.
 */
export async function leftovers(folder, patienceMs = PATIENCE_MS) {
  const deadline = performance.now() + patienceMs;
  let processes = processesOf(folder);
  while (processes.length > 0 && performance.now() < deadline) {
    await sleep(50);
    processes = processesOf(folder);
  }
  const files = readdirSync(folder).map((name) => `left in the temporary folder: ${name}`);
  return [...processes.map(({ pid, command }) => `still runs: ${pid} ${command}`), ...files];
}

/** The processes that name the folder in their arguments or environment, or work in it. */
function processesOf(folder) {
  let pids;
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  } catch {
    return [];
  }
  return pids.flatMap((pid) => {
    const read = (name) => attempt(() => readFileSync(join('/proc', pid, name), 'utf8'));
    const command = read('cmdline').replaceAll('\0', ' ').trim();
    const cwd = attempt(() => readlinkSync(join('/proc', pid, 'cwd')));
    // A zombie has no command.
    return command !== '' && [command, cwd, read('environ')].some((text) => text.includes(folder))
      ? [{ pid, command }]
      : [];
  });
}

/** The process may have ended meanwhile, or belong to another user. */
function attempt(read) {
  try {
    return read();
  } catch {
    return '';
  }
}
