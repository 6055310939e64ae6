import { Injectable } from '@nestjs/common';

import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { WriteConditions } from '../http/caching/preconditions.js';
import { ApiError } from '../http/errors/api-error.js';
import { isNarrowed, ListQuery } from '../lists/list-query.js';
import { Page } from '../lists/list-representation.js';
import { PRODUCT_NOT_FOUND } from '../products/product.errors.js';
import { ProductsService } from '../products/products.service.js';
import { Key } from '../resources/resource-repository.js';
import { ReviewRow, ReviewsRepository } from './reviews.repository.js';

/** What a client writes of a review. */
export type ReviewValues = Pick<ReviewRow, 'rating' | 'comment'>;

/**
 * What users think of products; the products' averages follow in the same transaction. Throws `REVIEW_NOT_FOUND` and,
 * on writes, `PRECONDITION_FAILED`, and `PERMISSION_DENIED` for keys whose visibility refuses the review.
 */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly reviews: ReviewsRepository,
    private readonly products: ProductsService,
    private readonly database: Database,
  ) {}

  list(query: ListQuery): Promise<Page<ReviewRow>> {
    return this.reviews.list(query);
  }

  /** @throws ApiError `PRODUCT_NOT_FOUND`, also for a product of which the caller may know nothing */
  async listOf(productId: number, query: ListQuery): Promise<Page<ReviewRow>> {
    const page = await this.reviews.list(query);
    if (page.rows.length > 0) return page;
    if (!isNarrowed(query)) await this.products.get(productId);
    else if (!(await this.reviews.hasAny(query, { productId }))) {
      throw new ApiError(PRODUCT_NOT_FOUND);
    }
    return page;
  }

  get(key: Key<ReviewRow>): Promise<ReviewRow> {
    return this.reviews.get(key);
  }

  /** @throws ApiError `PRODUCT_NOT_FOUND`, `REVIEW_ALREADY_EXISTS` */
  create(review: ReviewValues & { productId: number; userId: number }, on: Connection): Promise<ReviewRow> {
    return on.transaction((transaction) => this.reviews.insert(review, transaction));
  }

  /** Writes every field that is given. */
  update(
    key: Key<ReviewRow>,
    changes: Partial<ReviewValues>,
    conditions: WriteConditions,
  ): Promise<ReviewRow> {
    // In a transaction, which is tried again: a product that is being deleted locks the two rows the other way round.
    return this.database.transaction((on) => this.reviews.update(key, changes, conditions, on));
  }

  remove(key: Key<ReviewRow>, conditions: WriteConditions): Promise<void> {
    return this.reviews.remove(key, conditions);
  }
}
