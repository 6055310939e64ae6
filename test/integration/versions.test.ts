import { DataSource, Repository } from 'typeorm';

import { EVERYTHING } from '../../packages/core/src/access/access-scope.js';
import { Product } from '../../src/products/product.entity.js';
import { openRepositories, Repositories } from '../support/repositories.js';

const VALUES = { name: 'Oak shelf', price: 10, category: 'shelves' };

type Change = (products: Repository<Product>, id: number) => Promise<unknown>;

/** Every way in which the code of a team may change a row. */
const CHANGES: Record<string, Change> = {
  'save()': async (products, id) =>
    products.save(Object.assign(await products.findOneByOrFail({ id }), { price: 11 })),
  'update()': (products, id) => products.update({ id }, { price: 11 }),
  'upsert()': (products, id) => products.upsert({ id, ...VALUES, price: 11 }, ['id']),
  'increment()': (products, id) => products.increment({ id }, 'price', 1),
  'a query builder': (products, id) =>
    products.createQueryBuilder().update().set({ price: 11 }).where({ id }).execute(),
  'SQL by hand': ({ manager }, id) =>
    manager.query('update products set price = price + 1 where id = $1', [id]),
  'SQL that counts the version': ({ manager }, id) =>
    manager.query('update products set price = price + 1, version = version + 1 where id = $1', [id]),
  'an insert on conflict': ({ manager }, id) =>
    manager.query(
      `insert into products (id, name, price) overriding system value values ($1, 'Oak shelf', 11)
       on conflict (id) do update set price = excluded.price`,
      [id],
    ),
};

describe('a changed row', () => {
  let repositories: Repositories;
  let dataSource: DataSource;

  beforeAll(async () => {
    repositories = await openRepositories();
    ({ dataSource } = repositories);
  });
  afterAll(() => repositories.close());

  it.each(Object.entries(CHANGES))('has the next version after %s', async (_, change) => {
    const before = await repositories.products.insert(VALUES);
    await change(dataSource.getRepository(Product), before.id);
    const after = await repositories.products.get(before.id, EVERYTHING);
    expect(after).toMatchObject({ price: 11, version: 2 });
    expect(after.updatedAt >= before.updatedAt).toBe(true);
  });

  it('has the time that the statement sets', async () => {
    const { id } = await repositories.products.insert(VALUES);
    await dataSource.query(`update products set updated_at = '2001-02-03' where id = $1`, [id]);
    expect(await repositories.products.get(id, EVERYTHING)).toMatchObject({
      version: 2,
      updatedAt: '2001-02-03T00:00:00.000Z',
    });
  });
});
