import { useApp, useClient } from '../support/app.js';
import { createProduct, Product, errorOf, faultsOf, productIn, validatorsOf } from '../support/products.js';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('products', () => {
  const app = useApp();
  const admin = useClient(app, 'admin');

  const rate = (id: number): Promise<object[]> =>
    app.query('update products set rating = 4.25, rating_sum = 17, review_count = 4 where id = $1', [id]);

  describe('POST', () => {
    it('creates a product with an id, defaults, a location and validators', async () => {
      const body = { name: 'Walnut desk lamp', price: 49.9, category: 'lighting' };
      const created = await admin.post('/api/v1/products', body);
      const { id, createdAt } = productIn(created);
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        id: expect.any(Number),
        ...body,
        inStock: true,
        rating: null,
        createdAt: expect.stringMatching(TIMESTAMP),
        updatedAt: createdAt,
      });
      expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000);
      expect(created.headers.get('location')).toBe(`/api/v1/products/${id}`);
      const read = await admin.get(`/api/v1/products/${id}`);
      expect(read.body).toEqual(created.body);
      for (const header of ['etag', 'last-modified', 'cache-control']) {
        expect(read.headers.get(header)).toBe(created.headers.get(header));
      }
      expect(read.headers.get('etag')).toMatch(/^"[^"]+"$/);
      expect(Date.parse(read.headers.get('last-modified')!)).toBe(
        Math.floor(Date.parse(createdAt) / 1000) * 1000,
      );
    });

    it('ignores fields that only the server writes', async () => {
      const owned = { id: 1, rating: 5, createdAt: '2001-01-01T00:00:00.000Z', updatedAt: 'then' };
      const { product } = await createProduct(admin, owned);
      expect(product.id).not.toBe(1);
      expect(product.rating).toBeNull();
      expect(product.createdAt).not.toBe(owned.createdAt);
    });

    it('accepts inStock, and requires name, price and category', async () => {
      expect((await createProduct(admin, { inStock: false })).product.inStock).toBe(false);
      const missing = await admin.post('/api/v1/products', {});
      expect(errorOf(missing)).toBe('400 VALIDATION_FAILED');
      expect(faultsOf(missing).sort()).toEqual(['category REQUIRED', 'name REQUIRED', 'price REQUIRED']);
      const cleared = await admin.post('/api/v1/products', { name: 'a', price: 1, category: null });
      expect(faultsOf(cleared)).toEqual(['category WRONG_TYPE']);
    });

    it.each(['0', '0.1', '0.2', '0.01', '19.99', '1e3', '49.90', '1.15', '8999999999.37', '9999999999.99'])(
      'stores the price %s exactly',
      async (price) => {
        const body = `{"name":"Exact","price":${price},"category":"money"}`;
        const created = await admin.post('/api/v1/products', body);
        const { id } = productIn(created);
        expect(created.status).toBe(201);
        expect(created.text).toContain(`"price":${String(Number(price))},`);
        expect((await admin.get(`/api/v1/products/${id}`)).text).toBe(created.text);
        const [row] = await app.query('select price::text from products where id = $1', [id]);
        expect(row).toEqual({ price: Number(price).toFixed(2) });
        // Sending the same value back changes nothing.
        const replaced = await admin.put(`/api/v1/products/${id}`, created.body);
        expect(validatorsOf(replaced)).toEqual(validatorsOf(created));
      },
    );

    it.each([
      ['several scripts', '桌灯 лампа مصباح מנורה δΈ'],
      ['composed and decomposed characters', 'é e\u0301 Å A\u030a'],
      ['200 characters beyond the basic plane', '🪔'.repeat(200)],
      ['characters that JSON, HTML and SQL escape', `"\\/\b\f\n\r\t</script>'; -- %_\u2028\u2029\u0001`],
      ['surrounding spaces', '  lamp  '],
    ])('stores a name exactly as it was sent: %s', async (_, name) => {
      const { product, path } = await createProduct(admin, { name });
      expect(product.name).toBe(name);
      expect(productIn(await admin.get(path)).name).toBe(name);
    });
  });

  describe('PUT', () => {
    it('resets omitted fields to their defaults', async () => {
      const { path, product } = await createProduct(admin, { inStock: false, category: 'lighting' });
      const replaced = await admin.put(path, { name: 'Plain lamp', price: 5 });
      expect(replaced.status).toBe(200);
      expect(replaced.body).toEqual({
        ...product,
        name: 'Plain lamp',
        price: 5,
        inStock: true,
        category: null,
        updatedAt: expect.stringMatching(TIMESTAMP),
      });
      expect((await admin.get(path)).body).toEqual(replaced.body);
    });

    it('requires name and price', async () => {
      const { path, product } = await createProduct(admin);
      const answer = await admin.put(path, { inStock: false });
      expect(errorOf(answer)).toBe('400 VALIDATION_FAILED');
      expect(faultsOf(answer).sort()).toEqual(['name REQUIRED', 'price REQUIRED']);
      expect((await admin.get(path)).body).toEqual(product);
    });

    it('accepts a product as it was read and changed, and ignores fields that only the server writes', async () => {
      const { path, product } = await createProduct(admin);
      await rate(product.id);
      const read = productIn(await admin.get(path));
      const sent = { ...read, name: 'Renamed', id: 7, rating: 1, createdAt: 'then', updatedAt: null };
      const replaced = await admin.put(path, sent);
      expect(replaced.body).toEqual({ ...read, name: 'Renamed', updatedAt: expect.any(String) });
      expect(productIn(replaced).rating).toBe(4.25);
    });

    it('is idempotent: the second request changes nothing, not even the validators', async () => {
      const { path, etag } = await createProduct(admin);
      const body = { name: 'Same again', price: 0.1, category: 'x', inStock: false };
      const first = await admin.put(path, body);
      const second = await admin.put(path, body);
      expect(second.body).toEqual(first.body);
      expect(validatorsOf(second)).toEqual(validatorsOf(first));
      expect(validatorsOf(first).etag).not.toBe(etag);
      expect(validatorsOf(await admin.get(path))).toEqual(validatorsOf(first));
    });

    it('of v1 keeps fields that only v2 has, and of v2 resets them', async () => {
      const created = await createProduct(admin, { description: 'Turned from one block.' }, 'v2');
      const v1 = `/api/v1/products/${created.product.id}`;
      expect((await admin.put(v1, { name: 'By v1', price: 2 })).status).toBe(200);
      expect((await admin.get(created.path)).body).toMatchObject({
        name: 'By v1',
        description: 'Turned from one block.',
      });
      const replaced = await admin.put(created.path, { name: 'By v2', price: 2 });
      expect(replaced.body).toMatchObject({ name: 'By v2', description: null });
    });
  });

  describe('PATCH', () => {
    it.each([
      ['name', 'Renamed'],
      ['price', 0.3],
      ['inStock', false],
      ['category', 'moved'],
      ['category', null],
    ])('changes %s to %j and nothing else', async (field, value) => {
      const { path, product, etag } = await createProduct(admin);
      const patched = await admin.patch(path, { [field]: value });
      expect(patched.status).toBe(200);
      expect(patched.body).toEqual({ ...product, [field]: value, updatedAt: expect.any(String) });
      expect(productIn(patched).updatedAt >= product.updatedAt).toBe(true);
      expect(validatorsOf(patched).etag).not.toBe(etag);
      const read = await admin.get(path);
      expect(read.body).toEqual(patched.body);
      expect(validatorsOf(read)).toEqual(validatorsOf(patched));
    });

    it.each([
      ['an empty patch', {}],
      ['the current values', { name: 'Oak shelf', price: 10, inStock: true, category: 'of no matter' }],
      ['fields that only the server writes', { id: 1, rating: 5, createdAt: 'then', updatedAt: 'now' }],
    ])('does not change the product or its validators with %s', async (_, patch) => {
      const { path, product, etag, lastModified } = await createProduct(admin);
      const patched = await admin.patch(path, patch);
      expect(patched.status).toBe(200);
      expect(patched.body).toEqual(product);
      expect(validatorsOf(patched)).toEqual({ etag, lastModified });
    });

    it.each(['name', 'price', 'inStock'])('refuses null for %s', async (field) => {
      const { path, product } = await createProduct(admin);
      const answer = await admin.patch(path, { category: 'new', [field]: null });
      expect(errorOf(answer)).toBe('400 VALIDATION_FAILED');
      expect(faultsOf(answer)).toEqual([`${field} WRONG_TYPE`]);
      expect((await admin.get(path)).body).toEqual(product);
    });
  });

  describe('of v2', () => {
    it('adds description, currency and reviewCount', async () => {
      const { product, path } = await createProduct(admin, {}, 'v2');
      expect(product).toMatchObject({ description: null, currency: 'USD', reviewCount: 0 });
      const reviewed = 'update products set rating = 4.25, rating_sum = 17, review_count = 4 where id = $1';
      await app.query(reviewed, [product.id]);
      expect((await admin.get(path)).body).toMatchObject({ rating: 4.25, reviewCount: 4 });
      const { body: shown } = await admin.get(path.replace('v2', 'v1'));
      const own = { description: null, currency: 'USD', reviewCount: 4, etag: expect.any(String) };
      expect((await admin.get(path)).body).toEqual({ ...(shown as Product), ...own });
    });

    it('accepts a description of up to 5000 characters, and null', async () => {
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
});
