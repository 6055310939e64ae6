import { id, integer } from '../fields/kinds.js';
import { equals } from '../lists/filters.js';
import { defineList } from '../lists/list-definition.js';
import { ReviewEntity } from './review.entity.js';

/** What can be asked of the reviews. */
export const reviewList = defineList(ReviewEntity, {
  name: 'reviews',
  filters: {
    productId: equals('productId', id),
    userId: equals('userId', id),
    rating: equals('rating', integer({ min: 1, max: 5 })),
  },
  sorts: ['rating'],
});
