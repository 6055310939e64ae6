import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.mjs';

/**
 * Runs `work` while no other process does the same work for this clone: `npm start` in one terminal and `npm test`
 * in the next would install into each other. A lock whose process is gone is ignored.
 */
export async function alone(name, work) {
  const clone = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const file = join(tmpdir(), `${name}-${clone}.lock`);
  for (let told = false; !take(file); told = true) {
    if (!told) console.log(`waiting for another process (${holderOf(file)}) to ${name}…`);
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

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isAlive(holderOf(file))) rmSync(file, { force: true });
    return false;
  }
}

function holderOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
