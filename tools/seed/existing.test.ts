import { countAt } from './existing.js';

const ROWS = [10, 20, 20, 30].map((createdMs, index) => ({ id: index + 1, createdMs }));

describe('what was there at a time', () => {
  it.each([
    [10, 1],
    [19, 1],
    [20, 3],
    [29, 3],
    [30, 4],
    [99, 4],
    [9, 4],
  ])('at %d: %d', (timeMs, count) => {
    expect(countAt(ROWS, timeMs)).toBe(count);
  });

  it('is nothing where there is nothing', () => {
    expect(countAt([], 10)).toBe(0);
  });
});
