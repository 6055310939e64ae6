import { Injectable } from '@nestjs/common';
import { Database, ResourceRepository } from '@plinth/core';

import { Review } from './review.entity.js';
import { REVIEWS } from './review.resource.js';

@Injectable()
export class ReviewsRepository extends ResourceRepository<Review> {
  constructor(database: Database) {
    super(database, REVIEWS);
  }
}
