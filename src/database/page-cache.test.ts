import { PageCache } from './page-cache.js';
import { RowCache } from './row-cache.js';

/** Rows that were kept, each with a text of some characters. */
function rowsOf(count: number, length: number): object[] {
  const cache = new RowCache<object>(100_000_000);
  const rows = Array.from({ length: count }, (_, id) => ({ id, text: 'x'.repeat(length) }));
  for (const row of rows) cache.keep(`${row.id} 7 t`, 1, row);
  return rows;
}

/** A cache of which all pages are asked for again, so that all are kept. */
function cacheInUse(maxBytes = 1_000_000): PageCache<string> {
  const cache = new PageCache<string>(maxBytes);
  cache.offer('used', 'a', 'page', []);
  for (let i = 0; i < 1_000; i++) expect(cache.get('used', 'a')).toBe('page');
  return cache;
}

describe('PageCache', () => {
  it('gives the page that was made of the same, of the same question', () => {
    const cache = cacheInUse();
    cache.offer('asked', '1 7 t,2 7 t', 'page', rowsOf(2, 10));
    expect(cache.get('asked', '1 7 t,2 7 t')).toBe('page');
    for (const made of ['1 7 t,2 8 t', '1 7 t', '2 7 t,1 7 t', '', '21 of 1 7 t,2 7 t'])
      expect(cache.get('asked', made)).toBeUndefined();
    expect(cache.get('asked otherwise', '1 7 t,2 7 t')).toBeUndefined();
  });

  it('keeps the last page of a question', () => {
    const cache = cacheInUse();
    cache.offer('asked', 'before', 'one', []);
    cache.offer('asked', 'after', 'another', []);
    expect([cache.get('asked', 'before'), cache.get('asked', 'after')]).toEqual([undefined, 'another']);
  });

  it('keeps a sample while pages are not asked for again', () => {
    const cache = new PageCache<number>(10_000_000);
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
    const cache = cacheInUse(50_000);
    for (let i = 0; i < 100; i++) {
      cache.offer(`page ${i}`, 'a', 'page', rowsOf(1, (i * 7919) % 6_000));
      expect(cache.bytes).toBeLessThanOrEqual(50_000);
      expect(cache.get('used', 'a')).toBe('page');
    }
    expect(cache.bytes).toBeGreaterThan(25_000);
    cache.offer('large', 'a', 'page', rowsOf(1, 20_000));
    expect(cache.get('large', 'a')).toBeUndefined();
  });

  it.each([
    ['a byte for each character', 'x', 3],
    ['two beyond Latin-1', '\u4e00', 6],
    ['two in JSON for a quote', '"', 5],
    ['six in JSON for a control character', '\u0001', 13],
  ])('counts the text of each row, its JSON and that in the JSON of the page: %s', (_, character, bytes) => {
    const bytesWith = (length: number): number => {
      const rows = new RowCache<object>(1_000_000);
      const cache = new PageCache<string>(1_000_000);
      const row = { id: 1, text: character.repeat(length) };
      rows.keep('1 7 t', 1, row);
      cache.offer('asked', 'a', 'page', [row]);
      return cache.bytes;
    };
    expect(bytesWith(5_000) - bytesWith(1)).toBe(4_999 * bytes);
  });

  it('counts the JSON of all its rows twice where one of them has a character beyond Latin-1', () => {
    const bytesWith = (name: string): number => {
      const rows = new RowCache<object>(1_000_000);
      const cache = new PageCache<string>(1_000_000);
      const shown = [
        { id: 1, name },
        { id: 2, name: 'x'.repeat(5_000) },
      ];
      for (const row of shown) rows.keep(`${row.id} 7 t`, 1, row);
      cache.offer('asked', 'a', 'page', shown);
      return cache.bytes;
    };
    const more = bytesWith('Zo\u0142a') - bytesWith('Zola');
    expect(more).toBeGreaterThanOrEqual(5_000);
    expect(more).toBeLessThan(5_200);
  });

  it('counts the states that a page was made of', () => {
    const cache = new PageCache<string>(1_000_000);
    cache.offer('asked', 's'.repeat(10_000), 'page', []);
    expect(cache.bytes).toBeGreaterThan(10_000);
  });
});
