import { Injectable } from '@nestjs/common';
import { Database, ListQuery, Page, ResourceRepository, ResourceService } from '@plinth/core';

import { PRODUCTS } from '../products/product.resource.js';
import { Review } from './review.entity.js';
import { REVIEWS } from './review.resource.js';

@Injectable()
export class ReviewsService extends ResourceService<Review> {
  constructor(database: Database) {
    super(new ResourceRepository(database, REVIEWS));
  }

  /** @throws ApiError `PRODUCT_NOT_FOUND` */
  listOfProduct(productId: number, query: ListQuery): Promise<Page<Review>> {
    return this.repository.listByParent(PRODUCTS, { id: productId }, query);
  }
}
