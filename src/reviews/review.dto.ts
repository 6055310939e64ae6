import { BodyOf, PatchOf, PickOf } from '@plinth/core';

import { Review } from './review.entity.js';

export class ReviewDto extends PickOf(Review, [
  'id',
  'productId',
  'userId',
  'rating',
  'comment',
  'createdAt',
  'updatedAt',
]) {}

export class WriteReviewDto extends BodyOf(ReviewDto, ['rating', 'comment'], {
  comment: { example: 'Warm light. The foot is heavy, and stands.' },
}) {}

export class PatchReviewDto extends PatchOf(WriteReviewDto) {}
