import { BodyOf, Id, PatchOf, PickOf } from '@plinth/core';
import { Expose } from 'class-transformer';

import { Review } from './review.entity.js';

/** Path parameters of `/products/:id/reviews/:reviewId`. */
export class ReviewKey {
  @Expose({ name: 'id' })
  @Id()
  productId: number;

  @Expose({ name: 'reviewId' })
  @Id()
  id: number;
}

const RESPONSE_FIELDS = ['id', 'productId', 'userId', 'rating', 'comment', 'createdAt', 'updatedAt'] as const;

export class ReviewDto extends PickOf(Review, RESPONSE_FIELDS) {}

export class ReviewV2Dto extends PickOf(Review, [...RESPONSE_FIELDS, 'author']) {}

export class WriteReviewDto extends BodyOf(ReviewV2Dto, ['rating', 'comment'], {
  comment: { example: 'Warm light. The foot is heavy, and stands.' },
}) {}

export class PatchReviewDto extends PatchOf(WriteReviewDto) {}
