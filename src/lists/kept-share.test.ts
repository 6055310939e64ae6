import { KeptShare } from './kept-share.js';

function shareAfter(...counts: readonly [times: number, isKept: boolean][]): KeptShare {
  const share = new KeptShare();
  for (const [times, isKept] of counts) for (let i = 0; i < times; i++) share.count(isKept);
  return share;
}

describe('KeptShare', () => {
  it('is low at first, and after a page of rows that were kept', () => {
    expect(shareAfter().isHigh).toBe(false);
    expect(shareAfter([20, true]).isHigh).toBe(false);
  });

  it('is high once most of some hundred rows were kept, and low once most were not', () => {
    expect(shareAfter([300, true]).isHigh).toBe(true);
    expect(shareAfter([10_000, true], [100, false]).isHigh).toBe(true);
    expect(shareAfter([10_000, true], [300, false]).isHigh).toBe(false);
  });

  it.each([
    [2, false],
    [3, false],
    [5, true],
    [6, true],
  ])('tells a list of which %d rows in 7 are kept: %s', (kept, isHigh) => {
    const share = new KeptShare();
    for (let i = 0; i < 7_000; i++) share.count(i % 7 < kept);
    expect(share.isHigh).toBe(isHigh);
  });
});
