import { Get } from '@nestjs/common';

import { grantsOn, grantsVia } from '../access/grant-links.js';
import { RequirePermission } from '../access/require-permission.decorator.js';
import { Cached, CATALOGUE } from '../http/caching/cache-policy.js';
import { ListParameters } from '../lists/list-parameters.decorator.js';
import type { ListQuery } from '../lists/list-query.js';
import { pageOf } from '../lists/list-representation.js';
import { Answers, AnswersList } from '../resources/openapi/answers.decorator.js';
import { Fails } from '../resources/openapi/fails.decorator.js';
import { PathKey } from '../resources/path-id.decorator.js';
import type { Key } from '../resources/resource-repository.js';
import { Resource } from '../resources/resource.decorator.js';
import { ReviewDto } from './dto/review.dto.js';
import { REVIEW_NOT_FOUND } from './review.errors.js';
import { reviewList } from './review.lists.js';
import { reviewOf, toReview } from './review.mapper.js';
import type { ReviewRow } from './reviews.repository.js';
import { ReviewsService } from './reviews.service.js';

/** The reviews of all products. */
@Resource({
  path: 'reviews',
  version: ['1', '2'],
  of: ReviewDto,
  policy: { grants: [grantsOn('review'), grantsVia('product', 'productId')] },
})
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get()
  @RequirePermission('read', { anonymous: true })
  @Cached(CATALOGUE)
  @AnswersList(ReviewDto, 'List reviews')
  async list(@ListParameters(reviewList) query: ListQuery) {
    return pageOf(toReview)(await this.reviews.list(query));
  }

  @Get(':id')
  @RequirePermission('read', { anonymous: true })
  @Cached(CATALOGUE)
  @Answers(200, ReviewDto, 'Read a review')
  @Fails(REVIEW_NOT_FOUND)
  async get(@PathKey({ id: 'id' }) key: Key<ReviewRow>) {
    return reviewOf(await this.reviews.get(key));
  }
}
