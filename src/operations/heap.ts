import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';

import { nodeSizeOption } from '../config/node-options.js';

const MIB = 2 ** 20;
/** By V8's own choice the young generation is at most 3/32 of the old one, before it rounds. */
const OLD_SHARE = 32 / 35;

/** How many bytes of the heap's old generation are in use, by garbage too. */
export function oldGenerationBytes(): number {
  let bytes = 0;
  for (const { space_name: name, space_used_size: used } of getHeapSpaceStatistics())
    if (!name.startsWith('new_')) bytes += used;
  return bytes;
}

/**
 * How many bytes the old generation may grow to, after which V8 ends the process: exact where an option says so. Else
 * V8 tells the sum of both generations only, and this is 91 to 109 % of the bound.
 */
export const OLD_GENERATION_LIMIT = oldGenerationLimit(
  getHeapStatistics().heap_size_limit,
  nodeSizeOption('max-old-space-size'),
  nodeSizeOption('max-semi-space-size'),
);

/**
 * @param heapLimit `heap_size_limit` of V8, in bytes
 * @param oldSpace `--max-old-space-size`, in MiB
 * @param semiSpace `--max-semi-space-size`, in MiB: V8 takes the next power of 2, three times
 */
export function oldGenerationLimit(heapLimit: number, oldSpace?: number, semiSpace?: number): number {
  if (oldSpace !== undefined) return oldSpace * MIB;
  if (semiSpace !== undefined) return heapLimit - 3 * 2 ** Math.ceil(Math.log2(semiSpace)) * MIB;
  return Math.floor(heapLimit * OLD_SHARE);
}
