import { ProductsRepository } from '../../src/products/products.repository.js';
import { Product } from '../../src/products/product.entity.js';
import { CursorKey } from '../../src/lists/cursor.js';
import { createDatabase, run, TestDatabase } from '../support/databases.js';
import { productsAsked, randomOf, recordReads } from '../support/kept-rows.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';

const ROWS = 700;
const SEED = 20_261_122;
const ROUNDS = 150;

const SORTS = ['createdAt:desc', 'price:asc', 'rating:desc', 'rating:asc', 'name:asc', 'price:desc,name:asc'];
const FILTERS: readonly Record<string, string | number | boolean>[] = [
  {},
  {},
  { category: 'a' },
  { inStock: true },
  { category: 'a', inStock: true },
  { minPrice: 3 },
];

/** Statements that change the product of the id `$`, each in a way of its own. */
const BY_HAND: Readonly<Record<string, string>> = {
  'by SQL': `update products set name = name || '!', price = price + 1 where id = $`,
  'by SQL that changes nothing': 'update products set name = name where id = $',
  'with triggers off': `begin; set local session_replication_role = replica;
    update products set name = name || '?', rating = 1 + ($ % 5) where id = $; commit`,
  'and undone': `begin; update products set name = 'never' where id = $; rollback`,
  'several times in a transaction': `begin; update products set name = 'first' where id = $;
    update products set name = 'second' where id = $; savepoint s; update products set name = 'undone' where id = $;
    rollback to s; update products set price = price + 1 where id = $; commit`,
  'to a row that is another one but for its name': `begin; set local session_replication_role = replica;
    create temp table twin on commit drop as select * from products where id = $; update twin set name = name || ' twin';
    delete from products where id = $; insert into products overriding system value select * from twin; commit`,
  'and away': 'delete from products where id = $',
};

describe('rows that are kept', () => {
  let database: TestDatabase;
  let withCache: OpenDatabase;
  let without: OpenDatabase;
  let kept: ProductsRepository;
  let plain: ProductsRepository;
  let reads: ReturnType<typeof recordReads>;

  beforeAll(async () => {
    database = await createDatabase();
    withCache = await openDatabase(database.url, { rowCacheBytes: 2 ** 24 }, [Product]);
    without = await openDatabase(database.url, {}, [Product]);
    reads = recordReads(withCache.database);
    kept = new ProductsRepository(withCache.database);
    plain = new ProductsRepository(without.database);
    await database.query(`insert into products (name, price, category, in_stock, rating, created_at)
      select 'P' || n % 97, n % 13, (array['a', 'a', 'b', null])[1 + n % 4], n % 3 > 0, nullif(n % 6, 0),
        timestamptz '2026-01-01' + n % 60 * interval '1 ms' from generate_series(1, ${ROWS}) n`);
    // One page in eight is kept until most rows are, and known to be.
    for (let round = 0; round < 12; round++) await readAll();
  });
  afterAll(async () => {
    await withCache.close();
    await without.close();
    await database.drop();
  });
  beforeEach(async () => {
    await readAll();
    reads.length = 0;
  });

  const readAll = async (): Promise<void> => {
    for (let page = 1; page <= ROWS / 100; page++) await kept.list(productsAsked({ page, limit: 100 }));
  };

  const byHand = (text: string, id: number): Promise<unknown> =>
    run(database.url, text.replaceAll('$', String(id)));

  const someId = async (random: (below: number) => number): Promise<number> => {
    const ids = await database.query<{ id: number }>('select id from products order by id');
    return ids[random(ids.length)]!.id;
  };

  it.each(Object.entries(BY_HAND))('are seen when they change: %s', async (_, text) => {
    const id = await someId(randomOf(text.length));
    const before = await kept.find(id);
    await byHand(text, id);
    reads.length = 0;
    const found = await kept.find(id);
    expect(found).toEqual(await plain.find(id));
    const isSame = text.includes('rollback') && !text.includes('commit');
    expect(reads).toEqual(isSame ? ['states'] : ['states', 'rows']);
    if (!isSame && found) expect([before === found, found]).toEqual([false, await kept.find(id)]);
  });

  it('are what a repository without a cache reads, whoever writes, by id and in pages of every kind', async () => {
    const random = randomOf(SEED);
    const one = <T>(values: readonly T[]): T => values[random(values.length)]!;
    const write = async (): Promise<number> => {
      const id = await someId(random);
      const hands = Object.values(BY_HAND);
      const way = random(hands.length + 4);
      if (way < hands.length) await byHand(hands[way]!, id);
      else if (way === hands.length) await kept.update(id, { name: `N${random(50)}` });
      else if (way === hands.length + 1) await plain.update(id, { rating: random(5) + 1 });
      else if (way === hands.length + 2) await kept.remove(id);
      else await kept.insert({ name: `New ${random(50)}`, price: random(9), category: 'a' });
      return id;
    };
    const compare = async (): Promise<void> => {
      const parameters = { ...one(FILTERS), sort: one(SORTS), limit: one([20, 20, 20, 7, 100, 1]) };
      if (random(2) === 0) {
        const query = productsAsked({ ...parameters, page: one([1, 1, 2, 3, 5, 8, 26, 30, 600, 9_999]) });
        expect(await kept.list(query)).toEqual(await plain.list(query));
        return;
      }
      let after: readonly CursorKey[] | null | undefined;
      for (let pages = 0; pages < 3 && after !== null; pages++) {
        const query = after ? productsAsked(parameters, after) : productsAsked({ ...parameters, cursor: '' });
        const page = await kept.list(query);
        expect(page).toEqual(await plain.list(query));
        // As a cursor carries them.
        after = JSON.parse(JSON.stringify(page.next)) as CursorKey[] | null;
      }
    };
    for (let round = 0; round < ROUNDS; round++) {
      const changed = await write();
      for (const id of [changed, await someId(random)])
        expect(await kept.find(id)).toEqual(await plain.find(id));
      for (let i = 0; i < 3; i++) await compare();
    }
    const count = (what: string): number => reads.filter((read) => read === what).length;
    expect(count('states')).toBeGreaterThan(3 * ROUNDS);
    // Of what has changed, and little more.
    expect(count('rows')).toBeLessThan(count('states') / 2);
  });

  it('make pages of one snapshot while others write', async () => {
    const random = randomOf(SEED);
    await database.query(
      `insert into products (name, price, category) select 'pair', 50000, 'pairs' from generate_series(1, 20)`,
    );
    const ids = (
      await database.query<{ id: number }>(`select id from products where category = 'pairs'`)
    ).map(({ id }) => id);
    const ending = new AbortController();
    const writer = async (settings: string): Promise<void> => {
      while (!ending.signal.aborted) {
        const [from, to] = [ids[random(20)]!, ids[random(20)]!];
        await database.query(
          `with settings as materialized (select ${settings}), moved as (select from settings),
             locked as materialized (select id from products where id in (${from}, ${to}) order by id for update)
           update products set price = price + case products.id when ${to} then 1 else -1 end
           from locked where products.id = locked.id and ${from} <> ${to} and (select count(*) from moved) = 1`,
        );
      }
    };
    const pages = [
      productsAsked({ category: 'pairs' }),
      productsAsked({ category: 'pairs', limit: 30, sort: 'name:asc' }),
      productsAsked({ category: 'pairs', cursor: '' }),
    ];
    const reader = async (): Promise<void> => {
      while (!ending.signal.aborted)
        for (const query of pages) {
          const { rows } = await kept.list(query);
          expect([rows.length, rows.reduce((sum, { price }) => sum + price, 0)]).toEqual([20, 1_000_000]);
          if (pagesOfStates() > 50) ending.abort();
        }
    };
    const pagesOfStates = (): number => reads.filter((read) => read === 'states').length;
    const timer = setTimeout(() => ending.abort(), 20_000);
    const replica = `set_config('session_replication_role', 'replica', true)`;
    const work = [writer('1'), writer(replica), reader(), reader()];
    await Promise.all(work).finally(() => {
      ending.abort();
      clearTimeout(timer);
    });
    expect(pagesOfStates()).toBeGreaterThan(50);
    expect(await kept.list(pages[0]!)).toEqual(await plain.list(pages[0]!));
  });
});
