import { Injectable } from '@nestjs/common';

import { permit } from '../access/decision.js';
import { Permission } from '../access/permissions.js';
import { Principal } from '../access/principal.js';
import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { WriteConditions } from '../http/caching/preconditions.js';
import { ListQuery } from '../lists/list-query.js';
import { Page } from '../lists/list-representation.js';
import { ProductsService } from '../products/products.service.js';
import { Key } from '../resources/resource-repository.js';
import { ReviewKey, ReviewRow, ReviewsRepository } from './reviews.repository.js';

/** What a client writes of a review. */
export type ReviewValues = Pick<ReviewRow, 'rating' | 'comment'>;

/**
 * What users think of products; the products' averages follow in the same transaction. Throws `REVIEW_NOT_FOUND` and,
 * on writes, `PRECONDITION_FAILED`; `PERMISSION_DENIED` where others than the author lack the permission.
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

  /** @throws ApiError `PRODUCT_NOT_FOUND` */
  async listOf(productId: number, query: ListQuery): Promise<Page<ReviewRow>> {
    const page = await this.reviews.list(query);
    if (page.rows.length === 0) await this.products.get(productId);
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
  async update(
    key: ReviewKey,
    changes: Partial<ReviewValues>,
    caller: Principal,
    conditions: WriteConditions,
  ): Promise<ReviewRow> {
    await this.mustBeAuthorOr('update', key, caller);
    // In a transaction, which is tried again: a product that is being deleted locks the two rows the other way round.
    return this.database.transaction((on) => this.reviews.update(key, changes, conditions, on));
  }

  async remove(key: ReviewKey, caller: Principal, conditions: WriteConditions): Promise<void> {
    await this.mustBeAuthorOr('delete', key, caller);
    await this.reviews.remove(key, conditions);
  }

  /** The author of a review never changes: what is decided here still holds when it is written. */
  private async mustBeAuthorOr(permission: Permission, key: ReviewKey, caller: Principal): Promise<void> {
    const { userId } = await this.reviews.get(key);
    permit(caller, permission, userId);
  }
}
