/** This server, asked as the peers are. */
import { jsonRequest, PAGE_SIZE, withQuery } from './peer.mjs';

/** @type {import('./peer.mjs').Dialect} */
export const ours = {
  get: ({ id }) => ({ path: `/products/${id}` }),
  page: ({ page }) => ({ path: withQuery('/products', { page, limit: PAGE_SIZE }) }),
  filtered: ({ category, page }) => ({
    path: withQuery('/products', { category, inStock: 'true', sort: 'price:asc', page, limit: PAGE_SIZE }),
  }),
  create: (product) => jsonRequest('/products', product),
  created: 201,
  itemOf: (body) => body,
  listOf: ({ data, pagination }) => ({ rows: data, total: pagination.total }),
};
