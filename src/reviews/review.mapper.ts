import { Representation } from '../resources/representation.js';
import { ReviewDto } from './dto/review.dto.js';
import { ReviewRow } from './reviews.repository.js';

export function toReview(row: ReviewRow): ReviewDto {
  return {
    id: row.id,
    productId: row.productId,
    userId: row.userId,
    rating: row.rating,
    comment: row.comment,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export const reviewOf = (row: ReviewRow): Representation<ReviewDto> => new Representation(toReview(row), row);
