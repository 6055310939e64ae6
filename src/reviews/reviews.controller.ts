import { Get } from '@nestjs/common';

import { belongsTo, itself } from '#src/access/grants/granted.js';
import { Needs } from '#src/access/needs.decorator.js';
import { Cached, CATALOGUE } from '#src/common/caching/cache-policy.js';
import { Resource } from '#src/common/http/resource.decorator.js';
import { ListParameters } from '#src/common/lists/list-parameters.decorator.js';
import type { ListQuery } from '#src/common/lists/list-query.js';
import { pageOf } from '#src/common/lists/list-representation.js';
import { Answers, AnswersList } from '#src/common/openapi/answers.decorator.js';
import { Fails } from '#src/common/openapi/fails.decorator.js';
import { PathId } from '#src/common/validation/id.decorator.js';

import { ReviewDto } from './dto/review.dto.js';
import { REVIEW_NOT_FOUND } from './review.errors.js';
import { reviewList } from './review.lists.js';
import { reviewOf, toReview } from './review.mapper.js';
import { ReviewsService } from './reviews.service.js';

/** The reviews of all products. */
@Resource({
  path: 'reviews',
  version: ['1', '2'],
  of: ReviewDto,
  policy: { granted: [itself('review'), belongsTo('product', 'productId')] },
})
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get()
  @Needs('read', { anonymous: true })
  @Cached(CATALOGUE)
  @AnswersList(ReviewDto, 'List reviews')
  async list(@ListParameters(reviewList) query: ListQuery) {
    return pageOf(toReview)(await this.reviews.list(query));
  }

  @Get(':id')
  @Needs('read', { anonymous: true })
  @Cached(CATALOGUE)
  @Answers(200, ReviewDto, 'Read a review')
  @Fails(REVIEW_NOT_FOUND)
  async get(@PathId() id: number) {
    return reviewOf(await this.reviews.get(id));
  }
}
