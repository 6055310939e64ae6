import { createHash } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

function take(file) {
  if (create(file)) return true;
  // Only one process at a time removes a lock that is left over: another one would remove the next holder's.
  const removal = `${file}.removal`;
  if (isLeftOver(file) && take(removal)) {
    if (isLeftOver(file)) rmSync(file);
    rmSync(removal);
  }
  return false;
}

/** Creates a lock, which names its holder from the first moment on. @returns whether there was none */
function create(file) {
  const named = `${file}.${process.pid}`;
  writeFileSync(named, String(process.pid));
  try {
    linkSync(named, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(named, { force: true });
  }
}

function isLeftOver(file) {
  const holder = holderOf(file);
  return holder !== undefined && !isAlive(holder);
}

/** `undefined` where the lock is gone meanwhile. */
function holderOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
