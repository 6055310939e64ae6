import { Reuse } from './reuse.js';

function reuseAfter(...counts: readonly [times: number, isKept: boolean][]): Reuse {
  const reuse = new Reuse();
  for (const [times, isKept] of counts) for (let i = 0; i < times; i++) reuse.count(isKept);
  return reuse;
}

describe('Reuse', () => {
  it('is low at first, and after a page of rows that were kept', () => {
    expect(reuseAfter().isHigh).toBe(false);
    expect(reuseAfter([20, true]).isHigh).toBe(false);
  });

  it('is high once most of some hundred rows were kept, and low once most were not', () => {
    expect(reuseAfter([300, true]).isHigh).toBe(true);
    expect(reuseAfter([10_000, true], [100, false]).isHigh).toBe(true);
    expect(reuseAfter([10_000, true], [300, false]).isHigh).toBe(false);
  });

  it.each([
    [2, false],
    [3, false],
    [5, true],
    [6, true],
  ])('tells a list of which %d rows in 7 are kept: %s', (kept, isHigh) => {
    const reuse = new Reuse();
    for (let i = 0; i < 7_000; i++) reuse.count(i % 7 < kept);
    expect(reuse.isHigh).toBe(isHigh);
  });
});
