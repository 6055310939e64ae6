import { Get } from '@nestjs/common';

import { ListQuery } from '../lists/list-parameters.decorator.js';
import { PRODUCTS } from '../products/product.resource.js';
import { PathKey } from '../resources/path-id.decorator.js';
import { Resource } from '../resources/resource.js';
import { RoutesOf } from '../resources/routes-of.js';
import { PatchReviewDto, ReviewDto, WriteReviewDto } from './review.dto.js';
import { Review } from './review.entity.js';
import { REVIEWS } from './review.resource.js';
import { ReviewsService } from './reviews.service.js';

/** The reviews of all products. */
@Resource({ ...REVIEWS, version: ['1', '2'], of: ReviewDto })
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get()
  list(@ListQuery() query: ListQuery) {
    return this.reviews.list(query);
  }

  @Get(':id')
  get(@PathKey() key: PathKey<Review>) {
    return this.reviews.get(key);
  }
}

const BODIES = { create: WriteReviewDto, replace: WriteReviewDto, patch: PatchReviewDto };

/** The reviews of one product. */
@Resource({
  ...REVIEWS,
  path: 'products/:id/reviews',
  parent: { of: PRODUCTS, property: 'productId', parameter: 'id' },
  version: ['1', '2'],
  of: ReviewDto,
})
export class ProductReviewsController extends RoutesOf(ReviewsService, BODIES, 'reviewId') {}
