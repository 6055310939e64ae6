/**
 * How much longer things take here because of what else runs on the machine. As a program it prints that number, for
 * `.ci/run`.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SAMPLES = 8;
const SAMPLE_EVERY_MS = 60;
/** What hangs must fail in the end, however busy the machine is. */
const MAX_PATIENCE = 3;

/**
 * How often bounds of time are to be multiplied: 1 on an idle machine, one more for each process of others that keeps a
 * core busy, as a share of the cores. At most 3. Without `/proc` it is 1. `TEST_PATIENCE` sets it: a program that
 * starts others hands on what it has measured, for they are not work of others.
 */
export async function patience() {
  if (process.env.TEST_PATIENCE) return Number(process.env.TEST_PATIENCE);
  return Math.min(MAX_PATIENCE, 1 + (await othersAtWork()) / availableParallelism());
}

/** How many processes wait for a core or use it, besides this one: the least of some samples. */
async function othersAtWork() {
  let least = Infinity;
  for (let i = 0; i < SAMPLES && least > 0; i++) {
    if (i > 0) await sleep(SAMPLE_EVERY_MS);
    least = Math.min(least, running() - 1);
  }
  return Math.max(0, least);
}

function running() {
  try {
    return Number(/^procs_running (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 1);
  } catch {
    return 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await patience());
