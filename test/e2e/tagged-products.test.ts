import { Client } from '@plinth/dev/testing';
import { DataSource } from 'typeorm';

import { CreateProductTags1763900000000 } from '../../packages/core/test/examples/tagged-products/1763900000000-create-product-tags.js';
import { TaggedProductsModule } from '../../packages/core/test/examples/tagged-products/tagged-products.module.js';
import { codeBlocks } from '../support/code-blocks.js';
import { useInProcess } from '../support/own-app.js';
import { createProduct } from '../support/products.js';

const PATH = '/api/v2/tagged-products';

/** Statements that change the tags of a product `$1` with one tag, and the number of its tags afterwards. */
const CHANGES: Record<string, readonly [text: string, tagCount: number]> = {
  'one more': [`insert into product_tags values ($1, 'new')`, 2],
  'several new tags in one statement': [`insert into product_tags select $1, unnest('{a,b,c}'::text[])`, 4],
  'one less': ['delete from product_tags where product_id = $1', 0],
  'another one': [`update product_tags set tag = 'other' where product_id = $1`, 1],
  'a tag that moves to another product': [
    `update product_tags set product_id = (select min(id) from products) where product_id = $1`,
    0,
  ],
};

describe('tagged products, an example outside of src/', () => {
  const app = useInProcess({}, undefined, [TaggedProductsModule]);
  let admin: Client;

  beforeAll(async () => {
    const queryRunner = app.app.nest.get(DataSource).createQueryRunner();
    await new CreateProductTags1763900000000().up(queryRunner);
    await queryRunner.release();
    admin = await app.as('admin');
    // The product to which a tag is moved.
    await createProduct(admin);
  });

  async function tagged(): Promise<{ id: number; path: string }> {
    const { id } = (await createProduct(admin, {})).product;
    await app.query(`insert into product_tags values ($1, 'old')`, [id]);
    await app.query(`update products set updated_at = '2001-02-03' where id = $1`, [id]);
    return { id, path: `${PATH}/${id}` };
  }

  it.each(Object.entries(CHANGES))(
    'get a new version when a tag changes: %s',
    async (_, [text, tagCount]) => {
      const { id, path } = await tagged();
      const before = await admin.get(path);
      const etag = before.headers.get('etag')!;
      expect((await admin.get(path, { 'if-none-match': etag })).status).toBe(304);
      await app.query(text, [id]);
      const after = await admin.get(path, { 'if-none-match': etag });
      expect(after).toMatchObject({ status: 200, body: { tagCount } });
      const { updatedAt } = before.body as { updatedAt: string };
      expect((after.body as { updatedAt: string }).updatedAt > updatedAt).toBe(true);
    },
  );

  it('count each of many concurrent statements, including those that write the row itself', async () => {
    const products = await Promise.all(Array.from({ length: 4 }, () => tagged()));
    const ids = products.map(({ id }) => id);
    const before = await versionsOf(ids);
    const tags = Array.from({ length: 20 }, (_, i) =>
      // Half of the statements lock the two products in the opposite order.
      app.query('insert into product_tags select unnest($1::bigint[]), $2', [
        i % 2 === 0 ? ids : ids.toReversed(),
        `tag-${i}`,
      ]),
    );
    const writes = products.flatMap(({ id }) =>
      Array.from({ length: 5 }, (_, i) => admin.patch(`/api/v2/products/${id}`, { price: i + 100 })),
    );
    for (const { status } of await Promise.all(writes)) expect(status).toBe(200);
    await Promise.all(tags);
    const after = await versionsOf(ids);
    expect(after.map(({ tagCount }) => tagCount)).toEqual(ids.map(() => 21));
    expect(after.map(({ version }, i) => version - before[i]!.version)).toEqual(ids.map(() => 25));
  });

  it('give rows that refer to a change a new version by the trigger from the guide', async () => {
    const [trigger] = codeBlocks('packages/core/docs/adding-a-field.md').filter(
      ({ language }) => language === 'sql',
    );
    await app.query(trigger!.code);
    const { id } = await tagged();
    const [author, reviews] = [await app.as('viewer'), `/api/v1/products/${id}/reviews`];
    const review = await author.post(reviews, { rating: 4 });
    const me = (await author.get('/api/v1/users/me')).body as { id: number };
    const path = `${reviews}/${(review.body as { id: number }).id}`;
    await app.query(`update users set name = 'Ada' where id = $1`, [me.id]);
    const renamed = await author.get(path, { 'if-none-match': review.headers.get('etag')! });
    expect(renamed.status).toBe(200);
    const { createdAt, updatedAt } = renamed.body as Record<string, string>;
    expect(updatedAt! > createdAt!).toBe(true);
    await app.query(`update users set name = 'Ada' where id = $1`, [me.id]);
    expect((await author.get(path, { 'if-none-match': renamed.headers.get('etag')! })).status).toBe(304);
  });

  const versionsOf = (ids: readonly number[]): Promise<{ version: number; tagCount: number }[]> =>
    app.query(
      `select version, (select count(*)::int from product_tags t where t.product_id = p.id) as "tagCount"
       from products p where id = any($1) order by id`,
      [ids],
    );
});
