/** A program over the types that openapi-typescript generates: required fields only, pages told apart, errors. */
import createClient from 'openapi-fetch';

import type { components, paths } from './dist/schema.js';

const api = createClient<paths>({ baseUrl: 'http://127.0.0.1:3000' });

export async function cheapestLamp(): Promise<string> {
  const lamp: components['schemas']['CreateProduct'] = { name: 'Lamp', price: 49.9, category: 'lighting' };
  const created = await api.POST('/api/v1/products', { body: lamp });
  if (created.error) return created.error.error.code;
  const query = { category: created.data.category ?? '', sort: 'price:asc' };
  const { data } = await api.GET('/api/v1/products', { params: { query } });
  if (!data) return '';
  const { pagination } = data;
  return 'total' in pagination ? pagination.total.toFixed() : (pagination.nextCursor ?? '');
}
