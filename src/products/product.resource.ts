import {
  anyOf,
  atLeast,
  atMost,
  PUBLIC_CACHE,
  defineList,
  equals,
  grantsOn,
  ResourceDefinition,
} from '@plinth/core';

import { Product } from './product.entity.js';
import { PRODUCT_NOT_FOUND } from './product.errors.js';

/**
 * Each sort has an index on all products, and an index within each category. Both include columns for the other
 * filters: see the migration.
 */
export const productList = defineList(Product, {
  name: 'products',
  filters: {
    category: anyOf('category'),
    inStock: equals('inStock'),
    minPrice: atLeast('price'),
    maxPrice: atMost('price'),
    minRating: atLeast('rating'),
  },
  sorts: ['price', 'rating', 'name'],
  totals: ['category', 'inStock'],
  search: { name: 'A', category: 'B', description: 'C' },
  facets: { category: 'count', inStock: 'count', price: 'range' },
});

export const PRODUCTS: ResourceDefinition<Product> = {
  path: 'products',
  description: 'The product catalogue.',
  entity: Product,
  notFound: PRODUCT_NOT_FOUND,
  cache: PUBLIC_CACHE,
  grants: [grantsOn('product')],
};
