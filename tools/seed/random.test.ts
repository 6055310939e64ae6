import { Random } from './random.js';

const draw = (random: Random, count = 1000): number[] => Array.from({ length: count }, () => random.next());

describe('Random', () => {
  it('repeats itself', () => {
    expect(draw(new Random(7, 'products'))).toEqual(draw(new Random(7, 'products')));
  });

  it.each([
    ['another seed', new Random(8, 'products')],
    ['another stream', new Random(7, 'users')],
  ])('gives other numbers for %s', (_case, other) => {
    expect(draw(other)).not.toEqual(draw(new Random(7, 'products')));
  });

  it('spreads evenly over its range', () => {
    const random = new Random(1);
    const counts = new Map<number, number>();
    for (let i = 0; i < 60_000; i++) {
      const face = random.integer(1, 6);
      counts.set(face, (counts.get(face) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  it('never and always lets a chance of 0 and 1 happen', () => {
    const random = new Random(1);
    expect(Array.from({ length: 100 }, () => random.chance(0))).not.toContain(true);
    expect(Array.from({ length: 100 }, () => random.chance(1))).not.toContain(false);
  });

  it('refuses to pick from nothing', () => {
    expect(() => new Random(1).pick([])).toThrow('nothing to pick from');
  });
});
