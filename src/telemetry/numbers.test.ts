import { Histogram } from './histogram.js';
import { Labelled, Tally } from './labelled.js';

describe('a histogram', () => {
  it('counts a value in the first bucket whose bound it does not pass', () => {
    const histogram = new Histogram([1, 10]);
    for (const value of [0, 1, 1.5, 10, 11]) histogram.observe(value);
    expect(histogram.counts).toEqual([2, 2, 1]);
    expect(histogram.sum).toBe(23.5);
  });
});

describe('numbers by label', () => {
  it('are one set for each label', () => {
    const tally = new Tally();
    for (const label of ['a', 'b', 'a']) tally.increment(label);
    expect([...tally]).toEqual([
      ['a', { count: 2 }],
      ['b', { count: 1 }],
    ]);
  });

  it('are bounded: labels past the bound share one set', () => {
    const labelled = new Labelled(() => ({ count: 0 }), 2);
    for (const label of ['a', 'b', 'c', 'd', 'a']) labelled.of(label).count++;
    expect([...labelled].map(([label, { count }]) => [label, count])).toEqual([
      ['a', 2],
      ['b', 1],
      ['other', 2],
    ]);
  });
});
