import { PageCache } from './page-cache.js';

/** A cache of which all pages are asked for again, so that all are kept. */
function cacheInUse(maxBytes = 1_000_000): PageCache<string> {
  const cache = new PageCache<string>(maxBytes);
  cache.offer('used', 'a', 'page', 0);
  for (let i = 0; i < 1_000; i++) expect(cache.get('used', 'a')).toBe('page');
  return cache;
}

describe('PageCache', () => {
  it('gives the page that was made of the same, of the same question', () => {
    const cache = cacheInUse();
    cache.offer('asked', '1 7 t,2 7 t', 'page', 100);
    expect(cache.get('asked', '1 7 t,2 7 t')).toBe('page');
    for (const made of ['1 7 t,2 8 t', '1 7 t', '2 7 t,1 7 t', '', '21 of 1 7 t,2 7 t'])
      expect(cache.get('asked', made)).toBeUndefined();
    expect(cache.get('asked otherwise', '1 7 t,2 7 t')).toBeUndefined();
  });

  it('keeps the last page of a question', () => {
    const cache = cacheInUse();
    cache.offer('asked', 'before', 'one', 100);
    cache.offer('asked', 'after', 'another', 100);
    expect([cache.get('asked', 'before'), cache.get('asked', 'after')]).toEqual([undefined, 'another']);
  });

  it('keeps a sample while pages are not asked for again', () => {
    const cache = new PageCache<number>(10_000_000);
    for (let i = 0; i < 800; i++) {
      expect(cache.get(`page ${i}`, 'a')).toBeUndefined();
      cache.offer(`page ${i}`, 'a', i, 0);
    }
    const kept = Array.from({ length: 800 }, (_, i) => cache.get(`page ${i}`, 'a')).filter(
      (page) => page !== undefined,
    );
    expect(kept).toHaveLength(100);
  });

  it('takes no more memory than it may', () => {
    const cache = cacheInUse(50_000);
    for (let i = 0; i < 100; i++) {
      cache.offer(`page ${i}`, 'a', 'page', (i * 7919) % 20_000);
      expect(cache.bytes).toBeLessThanOrEqual(50_000);
      expect(cache.get('used', 'a')).toBe('page');
    }
    expect(cache.bytes).toBeGreaterThan(25_000);
    cache.offer('large', 'a', 'page', 60_000);
    expect(cache.get('large', 'a')).toBeUndefined();
  });
});
