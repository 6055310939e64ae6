import fc from 'fast-check';

import { WindowCounter } from './window-counter.js';

const WINDOW = 1000;

/** A counter with a clock that the test sets. */
function counterAt(start: number, maxKeys?: number): { counter: WindowCounter; clock: { now: number } } {
  const clock = { now: start };
  return { counter: new WindowCounter(WINDOW, 0, maxKeys, () => clock.now), clock };
}

describe('the memory of a counter', () => {
  test('is bounded, whatever the number of keys is', () => {
    const { counter } = counterAt(0, 1000);
    let largest = 0;
    for (let i = 0; i < 1_000_000; i++) {
      counter.hit(`key ${i}`);
      if (counter.size > largest) largest = counter.size;
    }
    expect(largest).toBe(2000);
  });

  test('keeps a busy key through a flood of others', () => {
    const { counter } = counterAt(0, 100);
    for (let i = 1; i <= 1000; i++) {
      for (let other = 0; other < 50; other++) counter.hit(`${i} ${other}`);
      expect(counter.hit('busy').hits).toBe(i);
    }
  });

  test('forgets a key when its window is over', () => {
    const { counter, clock } = counterAt(0);
    for (let i = 0; i < 500; i++) counter.hit(`key ${i}`);
    clock.now = 1000;
    counter.hit('a');
    clock.now = 2000;
    counter.hit('a');
    expect(counter.size).toBe(1);
  });
});

test('a counter starts a window with the first hit of a key, if it has room for all keys', () => {
  const hit = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    after: fc.integer({ min: 0, max: 700 }),
  });
  fc.assert(
    fc.property(fc.array(hit, { maxLength: 200 }), (hits) => {
      const { counter, clock } = counterAt(0, 6);
      const model = new Map<string, { start: number; hits: number }>();
      for (const { key, after } of hits) {
        clock.now += after;
        const known = model.get(key);
        const window = known && clock.now < known.start + WINDOW ? known : { start: clock.now, hits: 0 };
        window.hits++;
        model.set(key, window);
        expect(counter.hit(key)).toEqual({ hits: window.hits, msLeft: window.start + WINDOW - clock.now });
      }
    }),
  );
});

describe('a block', () => {
  test('begins when the limit is exceeded, and the key starts from 0 when it ends', () => {
    const clock = { now: 0 };
    const counter = new WindowCounter(WINDOW, 5_000, 10, () => clock.now);
    expect(counter.hit('a', 1, 1)).toEqual({ hits: 1, msLeft: 1_000 });
    clock.now = 900;
    expect(counter.hit('a', 1, 1)).toEqual({ hits: 2, msLeft: 5_000 });
    clock.now = 5_899;
    expect(counter.hit('a', 1, 1)).toEqual({ hits: 3, msLeft: 1 });
    clock.now = 5_900;
    expect(counter.hit('a', 1, 1)).toEqual({ hits: 1, msLeft: 1_000 });
  });

  test('may be shorter than the window', () => {
    const clock = { now: 0 };
    const counter = new WindowCounter(WINDOW, 100, 10, () => clock.now);
    counter.hit('a', 1, 1);
    counter.hit('a', 1, 1);
    clock.now = 100;
    expect(counter.hit('a', 1, 1).hits).toBe(1);
  });
});
