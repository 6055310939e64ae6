import { defineList, equalsId, equalsInteger } from '../lists/list-definition.js';
import { ReviewEntity } from './review.entity.js';

/** What can be asked of the reviews. */
export const reviewList = defineList(ReviewEntity, {
  name: 'reviews',
  filters: {
    productId: equalsId('productId'),
    userId: equalsId('userId'),
    rating: equalsInteger('rating', 1, 5),
  },
  sorts: ['rating'],
});
