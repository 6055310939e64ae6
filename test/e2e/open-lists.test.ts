import { DataSource } from 'typeorm';

import { CreateProductTags1763900000000 } from '../examples/tagged-products/1763900000000-create-product-tags.js';
import { TaggedProductsModule } from '../examples/tagged-products/tagged-products.module.js';
import { Client } from '../support/client.js';
import { Listing } from '../support/lists.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { createProduct, errorOf } from '../support/products.js';

const PATH = '/api/v2/tagged-products';

describe('the list of tagged products, which no file of src/ knows', () => {
  let app: OwnApp;
  let admin: Client;

  beforeAll(async () => {
    app = await startInProcess({}, undefined, [TaggedProductsModule]);
    const queryRunner = app.app.nest.get(DataSource).createQueryRunner();
    await new CreateProductTags1763900000000().up(queryRunner);
    await queryRunner.release();
    admin = await app.as('admin');
    const tags = { 'Oak shelf': ['wood', 'new'], 'Oak desk': ['wood'], 'Iron desk': [] };
    for (const [name, own] of Object.entries(tags)) {
      const { product } = await createProduct(admin, { name, category: own.length > 1 ? 'a b' : 'desks' });
      await app.query('insert into product_tags select $1, unnest($2::text[])', [product.id, own]);
    }
  });
  afterAll(() => app.stop());

  const names = async (query: string): Promise<string[]> => {
    const { data, pagination } = (await admin.get(`${PATH}?sort=name:asc&${query}`)).body as Listing;
    expect(pagination.total).toBe(data.length);
    return data.map(({ name }) => name);
  };

  it.each([
    ['tag=wood', ['Oak desk', 'Oak shelf']],
    ['category=a+b,none', ['Oak shelf']],
    ['minTags=1', ['Oak desk', 'Oak shelf']],
    ['q=desks', ['Iron desk', 'Oak desk']],
    ['q=desk+-oak', ['Iron desk']],
  ])('%s', async (query, found) => {
    expect(await names(query)).toEqual(found);
  });

  it('shows, sorts and walks by what is computed', async () => {
    const first = (await admin.get(`${PATH}?sort=tagCount:desc&limit=2&cursor=`)).body as Listing;
    expect(first.data).toMatchObject([{ tagCount: 2 }, { tagCount: 1 }]);
    const rest = await admin.get(`${PATH}?sort=tagCount:desc&cursor=${first.pagination.nextCursor!}`);
    const [last] = (rest.body as Listing).data;
    expect(last).toMatchObject({ name: 'Iron desk', tagCount: 0 });
    expect((await admin.get(`${PATH}/${last!.id}`)).body).toMatchObject({ tagCount: 0 });
  });

  it.each([
    ['tag=%00', '400 INVALID_QUERY'],
    [`tag=${'x'.repeat(31)}`, '422 UNPROCESSABLE_ENTITY'],
    ['minTags=many', '400 INVALID_QUERY'],
    ['tags=wood', '400 INVALID_QUERY'],
  ])('%s is %s', async (query, code) => {
    expect(errorOf(await admin.get(`${PATH}?${query}`))).toBe(code);
  });
});
