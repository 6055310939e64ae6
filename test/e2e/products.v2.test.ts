import { useApp, useClient } from '../support/app.js';
import { createProduct, errorOf, faultsOf, productIn } from '../support/products.js';

describe('products of v2', () => {
  const app = useApp();
  const admin = useClient(app, 'admin');

  it('add description, currency and reviewCount', async () => {
    const { product, path } = await createProduct(admin, {}, 'v2');
    expect(product).toMatchObject({ description: null, currency: 'USD', reviewCount: 0 });
    const reviewed = 'update products set rating = 4.25, rating_sum = 17, review_count = 4 where id = $1';
    await app.query(reviewed, [product.id]);
    expect((await admin.get(path)).body).toMatchObject({ rating: 4.25, reviewCount: 4 });
    const { description: _, currency: __, reviewCount: ___, ...rest } = productIn(await admin.get(path));
    expect((await admin.get(path.replace('v2', 'v1'))).body).toEqual(rest);
  });

  it('take a description of up to 5000 characters, and null', async () => {
    const { path } = await createProduct(admin, { description: '🪔'.repeat(5000) }, 'v2');
    expect(productIn(await admin.get(path)).description).toBe('🪔'.repeat(5000));
    const tooLong = await admin.patch(path, { description: 'x'.repeat(5001) });
    expect([errorOf(tooLong), ...faultsOf(tooLong)]).toEqual([
      '422 UNPROCESSABLE_ENTITY',
      'description TOO_LONG',
    ]);
    expect(productIn(await admin.patch(path, { description: null })).description).toBeNull();
  });
});
