import { KeptMemory, newKeptMemory } from './kept-memory.js';
import { RowCache } from './row-cache.js';

interface Row {
  readonly id: number;
  readonly text: string;
}

const TID = 65_537;
const LONG = 'x'.repeat(5_000);
const rowOf = (id: number, text = ''): Row => ({ id, text });
const stateOf = (id: number, xmin = 7): string => `${id} ${xmin} 2026-01-01 00:00:00.123`;

/** A cache of rows that were kept in their order. */
function cacheOf(memory: KeptMemory | number, ids: readonly number[]): RowCache<Row> {
  const cache = new RowCache<Row>(typeof memory === 'number' ? newKeptMemory(memory) : memory);
  for (const id of ids) cache.keep(stateOf(id), TID, rowOf(id));
  return cache;
}

/** How much memory a row takes, about. */
function bytesOf(row: object): number {
  const memory = newKeptMemory(1_000_000);
  new RowCache<object>(memory).keep(stateOf(1), TID, row);
  return memory.calculatedSize;
}

const keptOf = (cache: RowCache<Row>, ids: readonly number[]): number[] =>
  ids.filter((id) => cache.inState(stateOf(id)));

describe('RowCache', () => {
  it('gives a row in its state, and by its id whatever the state', () => {
    const cache = cacheOf(10_000, [1, 11]);
    expect(cache.inState(stateOf(1))).toEqual(rowOf(1));
    expect(cache.ofId(11)).toEqual({ state: stateOf(11), tid: TID, row: rowOf(11) });
    expect(cache.ofId(2)).toBeUndefined();
  });

  it('gives no row in a state that differs in one character', () => {
    const cache = cacheOf(10_000, [1]);
    const state = stateOf(1);
    for (let i = 0; i < state.length; i++) {
      const other = state[i] === '9' ? '8' : '9';
      expect(cache.inState(state.slice(0, i) + other + state.slice(i + 1))).toBeUndefined();
      expect(cache.inState(state.slice(0, i) + state.slice(i + 1))).toBeUndefined();
    }
    expect(cache.inState(`${state} `)).toBeUndefined();
    expect(cache.inState(state)).toBeDefined();
  });

  it('keeps one state of a row: the one that was read last', () => {
    const cache = cacheOf(10_000, [1]);
    cache.keep(stateOf(1, 8), TID, rowOf(1, 'later'));
    expect(cache.inState(stateOf(1))).toBeUndefined();
    expect(cache.inState(stateOf(1, 8))).toEqual(rowOf(1, 'later'));
  });

  it('forgets a row that is gone, and no row that was kept under its id since', () => {
    const cache = cacheOf(10_000, [1, 2]);
    const [gone, replaced] = [cache.ofId(1)!, cache.ofId(2)!];
    cache.keep(stateOf(2, 8), TID, rowOf(2, 'later'));
    cache.forget(gone);
    cache.forget(replaced);
    expect([cache.ofId(1), cache.ofId(2)?.state]).toEqual([undefined, stateOf(2, 8)]);
  });

  it('forgets the rows first that were not asked for for longest', () => {
    const ids = Array.from({ length: 100 }, (_, i) => i + 1);
    const small = cacheOf(10 * bytesOf(rowOf(1)), ids.slice(0, 10));
    expect(keptOf(small, [1, 3])).toEqual([1, 3]);
    expect(small.ofId(2)).toBeDefined();
    for (const id of [11, 12, 13]) small.keep(stateOf(id), TID, rowOf(id));
    // 1, 3 and 2 were asked for, so 4, 5 and 6 are the oldest.
    expect(keptOf(small, ids)).toEqual([1, 2, 3, 7, 8, 9, 10, 11, 12, 13]);
  });

  it('takes no more memory than it may, whatever rows it is given', () => {
    const memory = newKeptMemory(50_000);
    const cache = cacheOf(memory, []);
    for (let id = 1; id <= 5_000; id++) {
      cache.keep(stateOf(id), TID, rowOf(id, 'x'.repeat((id * 7919) % 3_000)));
      expect(memory.calculatedSize).toBeLessThanOrEqual(50_000);
    }
    expect(memory.calculatedSize).toBeGreaterThan(40_000);
  });

  it('does not keep a row of more than half of it, nor an older state of that, and keeps the others', () => {
    const cache = cacheOf(10_000, [1, 2]);
    const row = rowOf(2, 'x'.repeat(3_000));
    expect(bytesOf(row)).toBeLessThan(8_000);
    cache.keep(stateOf(2, 8), TID, row);
    expect(cache.ofId(2)).toBeUndefined();
    expect(keptOf(cache, [1, 2])).toEqual([1]);
  });

  it.each<[string, (text: string) => unknown]>([
    ['text', (text) => text],
    ['a list', (text) => [[text], text]],
    ['an object', (text) => ({ deep: { text } })],
    ['bytes', (text) => Buffer.from(text)],
    ['the name of a member', (text) => ({ deep: { [text]: 0 } })],
  ])('counts what a row holds: %s', (_, valueOf) => {
    const bytesWith = (length: number): number => bytesOf({ id: 1, value: valueOf('x'.repeat(length)) });
    expect(bytesWith(5_000) - bytesWith(0)).toBeGreaterThanOrEqual(5_000);
  });

  it('counts the name of a member as it counts a text: once by itself, once in JSON, which escapes it', () => {
    const [control, letter] = ['\u0001', 'x'].map((character) => ({
      text: bytesOf({ value: [character.repeat(1_001)] }) - bytesOf({ value: [character] }),
      name: bytesOf({ value: { [character.repeat(1_001)]: 0 } }) - bytesOf({ value: { [character]: 0 } }),
    }));
    expect(control).toEqual({ text: 7_000, name: 7_000 });
    expect(letter).toEqual({ text: 2_000, name: 2_000 });
  });

  it.each<[string, (name: string) => object]>([
    ['before it', (name) => ({ name, text: LONG })],
    ['after it', (name) => ({ text: LONG, name })],
    ['deep in another value', (name) => ({ text: LONG, meta: { names: [name] } })],
    ['the name of a member', (name) => ({ text: LONG, meta: { [name]: 1 } })],
  ])(
    'counts the JSON of a long text twice for a character beyond Latin-1 %s, and the text once',
    (_, rowOf) => {
      const more = bytesOf(rowOf('Zo\u0142a')) - bytesOf(rowOf('Zola'));
      expect(more).toBeGreaterThanOrEqual(LONG.length);
      expect(more).toBeLessThan(LONG.length + 100);
    },
  );
});
