import { RowCaches } from './row-caches.js';

class Lamp {
  readonly id: number;
}
class Chair {
  readonly id: number;
}

describe('RowCaches', () => {
  it('has one cache for each entity, whoever asks for it', () => {
    const caches = new RowCaches(10_000);
    caches.of(Lamp)?.keep('1 7 ', 0, { id: 1 });
    expect(caches.of(Lamp)?.inState('1 7 ')).toEqual({ id: 1 });
    expect(caches.of(Chair)?.inState('1 7 ')).toBeUndefined();
  });

  it('counts a text beyond Latin-1, and its JSON, as twice the memory', () => {
    const bytesOf = (text: string): number => {
      const caches = new RowCaches(100_000);
      caches.of(Lamp)?.keep('1 7 ', 0, { id: 1, text } as Lamp);
      return caches.bytes.get('Lamp')!;
    };
    const [none, latin, other] = [bytesOf(''), bytesOf('é'.repeat(1_000)), bytesOf(`${'e'.repeat(999)}л`)];
    expect(other - none).toBeGreaterThanOrEqual(2 * (latin - none));
    expect(other - none).toBeLessThan(2 * (latin - none) + 50);
  });

  it('tells the memory of the rows of each entity', () => {
    const caches = new RowCaches(10_000);
    const [lamps, chairs] = [caches.of(Lamp)!, caches.of(Chair)!];
    lamps.keep('1 7 ', 0, { id: 1 });
    chairs.keep('1 7 ', 0, { id: 1 });
    chairs.keep('2 7 ', 0, { id: 2 });
    const bytes = caches.bytes.get('Lamp')!;
    expect(bytes).toBeGreaterThan(400);
    expect(Object.fromEntries(caches.bytes)).toEqual({ Lamp: bytes, Chair: 2 * bytes });
  });

  it('has one memory for the rows and the pages of an entity: what was used least recently goes first', () => {
    const caches = new RowCaches(100_000);
    const [rows, pages] = [caches.of(Lamp)!, caches.pagesOf<string>(Lamp)!];
    const row = (id: number): Lamp => ({ id, text: 'x'.repeat(1_000) }) as Lamp;
    const ids = Array.from({ length: 100 }, (_, id) => id);
    const kept = (): number[] => ids.filter((id) => rows.inState(`${id} 7 `));
    for (const id of ids) rows.keep(`${id} 7 `, 0, row(id));
    pages.offer('lamps limit 20', 'a', 'page', []);
    for (let i = 0; i < 1_000; i++) expect(pages.get('lamps limit 20', 'a')).toBe('page');
    const before = kept();
    expect(before.length * 2_400).toBeGreaterThan(80_000);

    // The oldest rows are the newest from here on.
    for (const id of before.slice(0, 5)) rows.ofId(id);
    pages.offer('lamps limit 30', 's'.repeat(45_000), 'large', []);
    expect(pages.get('lamps limit 30', 's'.repeat(45_000))).toBe('large');
    const after = kept();
    expect(after.length).toBeLessThan(before.length * 0.6);
    expect(after.length).toBeGreaterThan(before.length * 0.3);
    expect(after).toEqual([...before.slice(0, 5), ...before.slice(5 - after.length)]);
    expect(caches.bytes.get('Lamp')).toBeLessThanOrEqual(100_000);

    for (const id of ids) rows.keep(`${id} 8 `, 0, row(id));
    expect(pages.get('lamps limit 30', 's'.repeat(45_000))).toBeUndefined();
    expect(caches.bytes.get('Lamp')).toBeGreaterThan(90_000);
  });

  it('takes no key of a page for that of a row', () => {
    const caches = new RowCaches(100_000);
    const [rows, pages] = [caches.of(Lamp)!, caches.pagesOf<string>(Lamp)!];
    pages.offer('lamps limit 20', 'a', 'page', []);
    expect(caches.bytes.get('Lamp')).toBeGreaterThan(0);
    expect(rows.ofId('lamps limit 20')).toBeUndefined();
  });

  it('keeps no page that would drop most of the rows', () => {
    const caches = new RowCaches(100_000);
    const [rows, pages] = [caches.of(Lamp)!, caches.pagesOf<string>(Lamp)!];
    const ids = Array.from({ length: 100 }, (_, id) => id);
    for (const id of ids) rows.keep(`${id} 7 `, 0, { id });
    const taken = caches.bytes.get('Lamp')!;
    expect(taken).toBeGreaterThan(45_000);
    pages.offer('lamps limit 100', 'a', 'small', []);
    for (let i = 0; i < 1_000; i++) expect(pages.get('lamps limit 100', 'a')).toBe('small');
    pages.offer('lamps limit 100', 's'.repeat(60_000), 'large', []);
    expect(caches.bytes.get('Lamp')).toBe(taken);
    expect(pages.get('lamps limit 100', 's'.repeat(60_000))).toBeUndefined();
  });

  it('has none where nothing is kept', () => {
    const caches = new RowCaches(0);
    expect([caches.of(Lamp), caches.pagesOf(Lamp), caches.bytes.size]).toEqual([undefined, undefined, 0]);
  });
});
