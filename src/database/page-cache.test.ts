import { newKeptMemory } from './kept-memory.js';
import { PageCache } from './page-cache.js';
import { RowCache } from './row-cache.js';

/** Rows that were kept, each with a text of some characters. */
function rowsOf(count: number, length: number): object[] {
  const cache = new RowCache<object>(newKeptMemory(100_000_000));
  const rows = Array.from({ length: count }, (_, id) => ({ id, text: 'x'.repeat(length) }));
  for (const row of rows) cache.keep(`${row.id} 7 t`, 1, row);
  return rows;
}

/** A cache of which all pages are asked for again, so that all are kept. */
function cacheInUse(memory = newKeptMemory(1_000_000)): PageCache<string> {
  const cache = new PageCache<string>(memory);
  cache.offer('used', 'a', 'page', []);
  for (let i = 0; i < 1_000; i++) expect(cache.get('used', 'a')).toBe('page');
  return cache;
}

/** How much memory a page of these rows takes, about, apart from the rows that are kept themselves. */
function bytesOf(rows: readonly object[], madeOf = 'a'): number {
  const ofRows = new RowCache<object>(newKeptMemory(1_000_000));
  rows.forEach((row, i) => {
    ofRows.keep(`${i} 7 t`, 1, row);
  });
  const memory = newKeptMemory(1_000_000);
  new PageCache<string>(memory).offer('asked', madeOf, 'page', rows);
  return memory.calculatedSize;
}

describe('PageCache', () => {
  it('gives the page that was made of the same, of the same question', () => {
    const cache = cacheInUse();
    cache.offer('asked', '1 7 t,2 7 t', 'page', rowsOf(2, 10));
    expect(cache.get('asked', '1 7 t,2 7 t')).toBe('page');
    expect(cache.get('asked otherwise', '1 7 t,2 7 t')).toBeUndefined();
    for (const made of ['1 7 t,2 8 t', '1 7 t', '2 7 t,1 7 t', '', '21 of 1 7 t,2 7 t']) {
      expect(cache.get('asked', made)).toBeUndefined();
      cache.offer('asked', '1 7 t,2 7 t', 'page', rowsOf(2, 10));
      expect(cache.get('asked', '1 7 t,2 7 t')).toBe('page');
    }
  });

  it('forgets a page that was made of other states: its memory is for what can be shown', () => {
    const memory = newKeptMemory(1_000_000);
    const cache = cacheInUse(memory);
    const before = memory.calculatedSize;
    cache.offer('asked', 'before', 'page', rowsOf(20, 1_000));
    expect(memory.calculatedSize).toBeGreaterThan(before + 20_000);
    expect(cache.get('asked', 'after')).toBeUndefined();
    expect(memory.calculatedSize).toBe(before);
  });

  it('takes no row for a page, and leaves it where it is', () => {
    const memory = newKeptMemory(1_000_000);
    const rows = new RowCache<object>(memory);
    rows.keep('1 7 t', 1, { id: 1 });
    expect(new PageCache(memory).get('1', '1 7 t')).toBeUndefined();
    expect(rows.inState('1 7 t')).toEqual({ id: 1 });
  });

  it('keeps the last page of a question', () => {
    const cache = cacheInUse();
    cache.offer('asked', 'before', 'one', []);
    cache.offer('asked', 'after', 'another', []);
    expect([cache.get('asked', 'after'), cache.get('asked', 'before')]).toEqual(['another', undefined]);
  });

  it('keeps a sample while pages are not asked for again', () => {
    const cache = new PageCache<number>(newKeptMemory(10_000_000));
    for (let i = 0; i < 800; i++) {
      expect(cache.get(`page ${i}`, 'a')).toBeUndefined();
      cache.offer(`page ${i}`, 'a', i, []);
    }
    const kept = Array.from({ length: 800 }, (_, i) => cache.get(`page ${i}`, 'a')).filter(
      (page) => page !== undefined,
    );
    expect(kept).toHaveLength(100);
  });

  it('takes no more memory than it may', () => {
    const memory = newKeptMemory(50_000);
    const cache = cacheInUse(memory);
    for (let i = 0; i < 100; i++) {
      cache.offer(`page ${i}`, 'a', 'page', rowsOf(1, (i * 7919) % 6_000));
      expect(memory.calculatedSize).toBeLessThanOrEqual(50_000);
      expect(cache.get('used', 'a')).toBe('page');
    }
    expect(memory.calculatedSize).toBeGreaterThan(25_000);
  });

  it('does not keep a page of more than half of the memory, nor an older one of its query, and keeps the others', () => {
    const memory = newKeptMemory(100_000);
    const cache = cacheInUse(memory);
    const others = memory.calculatedSize;
    cache.offer('large', 'before', 'small', []);
    const rows = rowsOf(1, 20_000);
    expect(bytesOf(rows)).toBeGreaterThan(50_000);
    expect(bytesOf(rows)).toBeLessThan(90_000);
    cache.offer('large', 'after', 'page', rows);
    expect(memory.calculatedSize).toBe(others);
    expect([cache.get('large', 'before'), cache.get('large', 'after')]).toEqual([undefined, undefined]);
    expect(cache.get('used', 'a')).toBe('page');
  });

  it.each([
    ['a byte for each character', 'x', 3],
    ['two beyond Latin-1', '\u4e00', 6],
    ['two in JSON for a quote', '"', 5],
    ['six in JSON for a control character', '\u0001', 13],
  ])('counts the text of each row, its JSON and that in the JSON of the page: %s', (_, character, bytes) => {
    const bytesWith = (length: number): number => bytesOf([{ id: 1, text: character.repeat(length) }]);
    expect(bytesWith(5_000) - bytesWith(1)).toBe(4_999 * bytes);
  });

  it('counts the JSON of all its rows twice where one of them has a character beyond Latin-1', () => {
    const bytesWith = (name: string): number =>
      bytesOf([
        { id: 1, name },
        { id: 2, name: 'x'.repeat(5_000) },
      ]);
    const more = bytesWith('Zo\u0142a') - bytesWith('Zola');
    expect(more).toBeGreaterThanOrEqual(5_000);
    expect(more).toBeLessThan(5_200);
  });

  it('counts the states that a page was made of', () => {
    expect(bytesOf([], 's'.repeat(10_000)) - bytesOf([])).toBe(9_999);
  });
});
