import { once } from 'node:events';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';

import { nodeOptions } from '../config/node-options.js';

const MIB = 2 ** 20;
/** Of the young generation, in MiB, up to Node.js 22 and with 4 GiB of memory or more. */
const USUAL_YOUNG_GENERATION = 48;

/** How many bytes of the heap's old generation are in use, by garbage too. */
export function oldGenerationBytes(): number {
  let bytes = 0;
  for (const { space_name: name, space_used_size: used } of getHeapSpaceStatistics())
    if (!name.startsWith('new_')) bytes += used;
  return bytes;
}

/**
 * How many bytes the old generation may grow to: V8 ends the process beyond. Its `heap_size_limit` has the young
 * generation on top.
 */
export async function oldGenerationLimit(): Promise<number> {
  const young =
    youngGenerationByOption() ?? (await youngGenerationByDefault().catch(() => USUAL_YOUNG_GENERATION));
  return getHeapStatistics().heap_size_limit - young * MIB;
}

/** Three semi-spaces, each of a power of 2 in MiB. */
function youngGenerationByOption(): number | undefined {
  const sizes = [...nodeOptions().matchAll(/--max[-_]semi[-_]space[-_]size=(\d+)/g)];
  const size = Number(sizes.at(-1)?.[1] ?? 0);
  return size > 0 ? 3 * 2 ** Math.ceil(Math.log2(size)) : undefined;
}

const TELL = `
  const { parentPort, resourceLimits } = require('node:worker_threads');
  parentPort.postMessage(resourceLimits.maxYoungGenerationSizeMb);`;

/** V8 chooses it by its version and the machine's memory, and tells it to a thread, which gets the same. */
async function youngGenerationByDefault(): Promise<number> {
  const thread = new Worker(TELL, { eval: true, execArgv: [], env: {} });
  thread.unref();
  const [young] = (await once(thread, 'message')) as [number];
  return young > 0 ? young : USUAL_YOUNG_GENERATION;
}
