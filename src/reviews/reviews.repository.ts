import { Injectable } from '@nestjs/common';

import { INVALID_TOKEN } from '../access/authentication.errors.js';
import { Database } from '../database/database.js';
import { PRODUCT_NOT_FOUND } from '../products/product.errors.js';
import { ResourceRepository, ResourceRow } from '../resources/resource-repository.js';
import { ReviewEntity } from './review.entity.js';
import { REVIEW_ALREADY_EXISTS, REVIEW_NOT_FOUND } from './review.errors.js';

/** A review as it is read: ready to be shown. */
export interface ReviewRow extends ResourceRow {
  readonly productId: number;
  readonly userId: number;
  readonly rating: number;
  readonly comment: string | null;
}

/** A review of one product. */
export type ReviewKey = Pick<ReviewRow, 'id' | 'productId'>;

@Injectable()
export class ReviewsRepository extends ResourceRepository<ReviewRow> {
  constructor(database: Database) {
    super(database, ReviewEntity, {
      notFound: REVIEW_NOT_FOUND,
      constraints: {
        reviews_product_user_key: REVIEW_ALREADY_EXISTS,
        reviews_product_id_fkey: PRODUCT_NOT_FOUND,
        reviews_user_id_fkey: INVALID_TOKEN,
      },
    });
  }
}
