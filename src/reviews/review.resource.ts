import {
  atLeast,
  PUBLIC_CACHE,
  defineList,
  equals,
  grantsOn,
  grantsOnParent,
  INVALID_TOKEN,
  ResourceDefinition,
} from '@plinth/core';

import { PRODUCT_NOT_FOUND } from '../products/product.errors.js';
import { Review } from './review.entity.js';
import { REVIEW_ALREADY_EXISTS, REVIEW_NOT_FOUND } from './review.errors.js';

export const reviewList = defineList(Review, {
  name: 'reviews',
  filters: {
    productId: equals('productId'),
    userId: equals('userId'),
    rating: equals('rating'),
    minRating: atLeast('rating'),
  },
  sorts: ['rating'],
  totals: ['productId', 'rating'],
  search: { comment: 'A' },
});

/** A user can write at most one review of each product. */
export const REVIEWS: ResourceDefinition<Review> = {
  path: 'reviews',
  description: 'Reviews of products, written by users.',
  entity: Review,
  notFound: REVIEW_NOT_FOUND,
  constraints: {
    reviews_product_user_key: REVIEW_ALREADY_EXISTS,
    reviews_product_id_fkey: PRODUCT_NOT_FOUND,
    reviews_user_id_fkey: INVALID_TOKEN,
  },
  cache: PUBLIC_CACHE,
  grants: [grantsOn('review'), grantsOnParent('product', 'productId')],
};
