import { defineErrors } from '@plinth/core';

export const { REVIEW_NOT_FOUND, REVIEW_ALREADY_EXISTS } = defineErrors({
  REVIEW_NOT_FOUND: [404, 'There is no such review.'],
  REVIEW_ALREADY_EXISTS: [409, 'The user has already reviewed this product.'],
});
