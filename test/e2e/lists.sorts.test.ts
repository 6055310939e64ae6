import { Client } from '@plinth/dev/testing';
import fc from 'fast-check';

import { startApp, TestApp } from '../support/app.js';
import { allByCursors, allByPages, idsOf } from '../support/lists.js';
import { Product, uniqueCategory } from '../support/products.js';

const FIELDS = ['price', 'createdAt', 'rating', 'name'] as const;
type Field = (typeof FIELDS)[number];

interface Term {
  readonly field: Field;
  readonly direction: 'asc' | 'desc';
}

const { compare: compareText } = new Intl.Collator('und');

/** How two values of a field are ordered: nulls last in both directions. */
function compare(a: Product, b: Product, { field, direction }: Term): number {
  const [left, right] = [a[field], b[field]];
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  const order = field === 'name' ? compareText(String(left), String(right)) : left < right ? -1 : 1;
  return direction === 'asc' ? order : -order;
}

/** The order that the contract asks for: term by term, `id` breaks ties in the direction of the last one. */
function sorted(rows: readonly Product[], terms: readonly Term[]): Product[] {
  const isDown = terms.at(-1)?.direction === 'desc';
  return [...rows].sort((a, b) => {
    for (const term of terms) {
      const order = compare(a, b, term);
      if (order !== 0) return order;
    }
    return isDown ? b.id - a.id : a.id - b.id;
  });
}

const written = (terms: readonly Term[]): string =>
  terms.map(({ field, direction }) => `${field}:${direction}`).join(',');

describe('sorts of lists', () => {
  let app: TestApp;
  let admin: Client;
  const category = uniqueCategory('sorts');
  let rows: Product[];

  beforeAll(async () => {
    app = await startApp();
    admin = await app.as('admin');
    // Few values of each field, so that ties are the rule; every second rating is missing.
    const names = ['anvil', 'Anvil', 'äpfel', 'Zebra', 'zebra 2', 'B-side', 'b side', '10', '9', 'Écu'];
    await app.query(
      `insert into products (name, price, category, in_stock, rating, created_at)
       select ($2::text[])[1 + n * 7 % 10], (array[0, 0.1, 5, 19.99, 9999999999.99])[1 + n * 3 % 5], $1, n % 3 > 0,
         case when n % 2 = 0 then (array[1, 2.5, 4.25, 5])[1 + n / 2 % 4] end,
         timestamptz '2026-01-01' + (n * 11 % 6) * interval '1 millisecond'
       from generate_series(1, 40) n`,
      [category, names],
    );
    rows = await allByCursors(admin, { category, limit: 100 });
  });
  afterAll(() => app.stop());

  const term = (field: Field): fc.Arbitrary<Term> =>
    fc.constantFrom('asc' as const, 'desc' as const).map((direction) => ({ field, direction }));
  const terms = fc
    .shuffledSubarray([...FIELDS], { minLength: 1 })
    .chain((fields) => fc.tuple(...fields.map(term)));
  const price = fc.option(fc.constantFrom(0, 0.1, 5, 19.99, 9999999999.99), { nil: undefined });
  const filters = fc
    .record({ inStock: fc.option(fc.boolean(), { nil: undefined }), minPrice: price, maxPrice: price })
    .filter(({ minPrice = 0, maxPrice = Infinity }) => minPrice <= maxPrice);

  it('give one order by pages, by cursors and by hand, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(terms, filters, fc.integer({ min: 3, max: 15 }), async (sort, filter, limit) => {
        const { inStock, minPrice = 0, maxPrice = Infinity } = filter;
        const chosen = rows.filter(
          (row) => row.price >= minPrice && row.price <= maxPrice && (inStock ?? row.inStock) === row.inStock,
        );
        const expected = idsOf({ data: sorted(chosen, sort) });
        const given = Object.entries(filter).filter(([, value]) => value !== undefined);
        const parameters = { category, sort: written(sort), limit, ...Object.fromEntries(given) };
        expect(idsOf({ data: await allByPages(admin, parameters) })).toEqual(expected);
        expect(idsOf({ data: await allByCursors(admin, parameters) })).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});
