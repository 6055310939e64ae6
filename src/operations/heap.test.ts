import { oldGenerationLimit } from './heap.js';

const MIB = 2 ** 20;

describe('the bound of the old generation', () => {
  // Of V8: heap_size_limit and the true bound, by Node.js and the machine's or container's memory.
  it.each([
    ['20', '512 MiB', 259, 256],
    ['20', '1 GiB', 524, 512],
    ['20', '2 GiB', 1048, 1024],
    ['20', '24 GiB', 4144, 4096],
    ['24', '512 MiB', 259, 256],
    ['24', '1 GiB', 560, 512],
    ['24', '2.01 GiB', 1221, 1029],
    ['24', '2.5 GiB', 1472, 1280],
    ['24', '3 GiB', 1692.25, 1500.25],
    ['24', '4 GiB', 2240, 2048],
    ['24', '24 GiB', 4288, 4096],
  ])('is near the true one: Node.js %s with %s', (_node, _memory, heapLimit, bound) => {
    const share = oldGenerationLimit(heapLimit * MIB) / (bound * MIB);
    expect(share).toBeGreaterThan(0.91);
    expect(share).toBeLessThan(1.09);
  });

  it('is what options say', () => {
    expect(oldGenerationLimit(320 * MIB, 128)).toBe(128 * MIB);
    expect(oldGenerationLimit(704 * MIB, undefined, 64)).toBe(512 * MIB);
    expect(oldGenerationLimit(524 * MIB, undefined, 3)).toBe(512 * MIB);
  });
});
