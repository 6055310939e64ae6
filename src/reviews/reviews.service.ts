import { Injectable } from '@nestjs/common';
import { ListQuery, Page, ResourceService } from '@plinth/core';

import { PRODUCTS } from '../products/product.resource.js';
import { Review } from './review.entity.js';
import { ReviewsRepository } from './reviews.repository.js';

@Injectable()
export class ReviewsService extends ResourceService<Review> {
  constructor(reviews: ReviewsRepository) {
    super(reviews);
  }

  /** @throws ApiError `PRODUCT_NOT_FOUND` */
  listOfProduct(productId: number, query: ListQuery): Promise<Page<Review>> {
    return this.repository.listByParent(PRODUCTS, { id: productId }, query);
  }
}
