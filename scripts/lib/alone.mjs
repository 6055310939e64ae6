import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.mjs';

/**
 * Runs `work` while no other process does the same work for this clone. Otherwise, `npm start` in one terminal and
 * `npm test` in another could install packages at the same time. A lock whose process has ended is ignored.
 */
export async function alone(name, work) {
  const clone = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const file = join(tmpdir(), `${name}-${clone}.lock`);
  for (let told = false; !(await take(file)); told = true) {
    if (!told) console.log(`waiting for another process to ${name}; its id is in ${file}…`);
    await sleep(200);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** Tries to take the lock. @returns whether this process holds it now */
async function take(file) {
  if (holderOf(file) !== undefined) return false;
  try {
    rmSync(file, { force: true });
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
  // A process that has seen the same stale lock may remove this new lock by mistake, but only during this pause.
  await sleep(100);
  return holderOf(file) === process.pid;
}

/** Returns the id of the process that holds a lock, 0 if another user runs it, or `undefined` if no process holds it. */
function holderOf(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return error.code === 'EPERM' ? 0 : undefined;
  }
}
