import { Client } from '../support/client.js';
import { startApp, TestApp } from '../support/app.js';

describe('products', () => {
  let app: TestApp;
  let admin: Client;

  beforeAll(async () => {
    app = await startApp();
    admin = await app.as('admin');
  });
  afterAll(() => app.stop());

  it('are created with an id, defaults, a location and validators', async () => {
    const created = await admin.post('/api/v1/products', {
      name: 'Walnut desk lamp',
      price: 49.9,
      category: 'lighting',
    });
    const { id } = created.body as { id: number };
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(Number),
      name: 'Walnut desk lamp',
      price: 49.9,
      inStock: true,
      category: 'lighting',
      rating: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(created.headers.get('location')).toBe(`/api/v1/products/${id}`);
    const read = await admin.get(`/api/v1/products/${id}`);
    expect(read.body).toEqual(created.body);
    for (const header of ['etag', 'last-modified', 'cache-control']) {
      expect(read.headers.get(header)).toBe(created.headers.get(header));
    }
  });
});
