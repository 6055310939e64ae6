import { Page } from '../../src/lists/page.js';
import { ProductsRepository } from '../../src/products/products.repository.js';
import { Product } from '../../src/products/product.entity.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { productsAsked } from '../support/kept-rows.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';

const MIB = 2 ** 20;
const LENGTH = 5_000;

describe('pages that are kept', () => {
  let database: TestDatabase;
  let open: OpenDatabase;

  beforeAll(async () => {
    database = await createDatabase();
    open = await openDatabase(database.url, { rowCacheBytes: 16 * MIB }, [Product]);
    await database.query(`insert into products (name, price, category, description)
      select 'P' || n, n, case when n <= 200 then 'long' else 'short' end,
        case when n <= 200 then repeat('x', ${LENGTH}) end from generate_series(1, 3000) n`);
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });

  it('are as many as the memory has room for, where they show longer rows than are kept on average', async () => {
    const products = new ProductsRepository(open.database);
    const bytes = (): number => open.database.rowCaches!.bytes.get('Product')!;
    // One page in eight is kept until most rows are.
    for (let round = 0; round < 12; round++)
      for (let page = 1; page <= 28; page++)
        await products.list(productsAsked({ category: 'short', page, limit: 100 }));
    expect(bytes()).toBeGreaterThan(2_800 * 500);
    const longFrom = (minPrice: number): Promise<Page<Product>> =>
      products.list(productsAsked({ category: 'long', minPrice, limit: 100, sort: 'price:asc' }));
    // Until most pages are found kept: then each is.
    for (let time = 0; time < 400; time++) await longFrom(1);

    const shown: Page<Product>[] = [];
    for (let from = 1; from <= 40; from++) {
      shown.push(await longFrom(from));
      expect(bytes()).toBeLessThanOrEqual(16 * MIB);
    }
    let kept = 0;
    // The last ones first: to ask for one that is gone drops another.
    for (let from = 40; from > 0 && (await longFrom(from)) === shown[from - 1]; from--) kept++;
    // Each with the text of its rows, their JSON and its own.
    expect(kept * 100 * LENGTH * 3).toBeLessThanOrEqual(bytes());
    expect(kept * 100 * LENGTH * 3).toBeGreaterThan(0.6 * 16 * MIB);
  });
});
