import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { ListQuery } from '../lists/list-query.js';
import { Page } from '../lists/page.js';
import { PRODUCTS } from '../products/product.resource.js';
import { ResourceRepository } from '../resources/resource-repository.js';
import { ResourceService } from '../resources/resource.service.js';
import { Review } from './review.entity.js';
import { REVIEWS } from './review.resource.js';

@Injectable()
export class ReviewsService extends ResourceService<Review> {
  constructor(database: Database) {
    super(new ResourceRepository(database, REVIEWS));
  }

  /** @throws ApiError `PRODUCT_NOT_FOUND` */
  listOfProduct(productId: number, query: ListQuery): Promise<Page<Review>> {
    return this.repository.listUnder(PRODUCTS, { id: productId }, query);
  }
}
