import { Delete, Get, Patch, Post, Put } from '@nestjs/common';

import { Caller } from '../access/caller.decorator.js';
import { grantsOn, grantsVia } from '../access/grant-links.js';
import { RequirePermission } from '../access/require-permission.decorator.js';
import type { Principal } from '../access/principal.js';
import { Cached, CATALOGUE } from '../http/caching/cache-policy.js';
import type { WriteConditions } from '../http/caching/preconditions.js';
import { ListParameters } from '../lists/list-parameters.decorator.js';
import type { ListQuery } from '../lists/list-query.js';
import { pageOf } from '../lists/list-representation.js';
import { PRODUCT_NOT_FOUND } from '../products/product.errors.js';
import { Conditions } from '../resources/conditions.decorator.js';
import { Idempotent, type Once } from '../resources/idempotency/once.decorator.js';
import { ofPath } from '../resources/of-path.js';
import { Answers, AnswersList, AnswersNothing } from '../resources/openapi/answers.decorator.js';
import { Fails } from '../resources/openapi/fails.decorator.js';
import { PathId, PathKey } from '../resources/path-id.decorator.js';
import { Payload } from '../resources/payload.decorator.js';
import { Resource } from '../resources/resource.decorator.js';
import { ReviewDto } from './dto/review.dto.js';
import { PatchReviewDto, WriteReviewDto } from './dto/write-review.dto.js';
import { REVIEW_ALREADY_EXISTS, REVIEW_NOT_FOUND } from './review.errors.js';
import { reviewList } from './review.lists.js';
import { reviewOf, toReview } from './review.mapper.js';
import type { ReviewKey } from './reviews.repository.js';
import { ReviewsService } from './reviews.service.js';

const KEY = { productId: 'id', id: 'reviewId' };

/** The reviews of one product: any user writes one, and its author changes it. */
@Resource({
  path: 'products/:id/reviews',
  version: ['1', '2'],
  of: ReviewDto,
  policy: { grants: [grantsOn('review', 'reviewId'), grantsVia('product', 'productId', 'id')] },
})
export class ProductReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get()
  @RequirePermission('read', { anonymous: true })
  @Cached(CATALOGUE)
  @AnswersList(ReviewDto, 'List the reviews of a product')
  @Fails(PRODUCT_NOT_FOUND)
  async list(@PathId() productId: number, @ListParameters(reviewList, ofPath('productId')) query: ListQuery) {
    return pageOf(toReview)(await this.reviews.listOf(productId, query));
  }

  @Get(':reviewId')
  @RequirePermission('read', { anonymous: true })
  @Cached(CATALOGUE)
  @Answers(200, ReviewDto, 'Read a review of a product')
  @Fails(REVIEW_NOT_FOUND)
  async get(@PathKey(KEY) key: ReviewKey) {
    return reviewOf(await this.reviews.get(key));
  }

  @Post()
  @RequirePermission('create', { orOwner: 'userId' })
  @Cached(CATALOGUE)
  @Answers(201, ReviewDto, 'Review a product')
  @Fails(PRODUCT_NOT_FOUND, REVIEW_ALREADY_EXISTS)
  create(
    @PathId() productId: number,
    @Payload(WriteReviewDto, ReviewDto) body: WriteReviewDto,
    @Caller() { userId }: Principal,
    @Idempotent() once: Once,
  ) {
    const review = { productId, userId: userId ?? 0, rating: body.rating, comment: body.comment };
    return once(async (on) => reviewOf(await this.reviews.create(review, on)));
  }

  @Put(':reviewId')
  @RequirePermission('update', { orOwner: 'userId' })
  @Cached(CATALOGUE)
  @Answers(200, ReviewDto, 'Replace a review')
  @Fails(REVIEW_NOT_FOUND)
  async replace(
    @PathKey(KEY) key: ReviewKey,
    @Payload(WriteReviewDto, ReviewDto) body: WriteReviewDto,
    @Conditions() conditions: WriteConditions,
  ) {
    return reviewOf(await this.reviews.update(key, body, conditions));
  }

  @Patch(':reviewId')
  @RequirePermission('update', { orOwner: 'userId' })
  @Cached(CATALOGUE)
  @Answers(200, ReviewDto, 'Change some fields of a review')
  @Fails(REVIEW_NOT_FOUND)
  async patch(
    @PathKey(KEY) key: ReviewKey,
    @Payload(PatchReviewDto, ReviewDto) body: PatchReviewDto,
    @Conditions() conditions: WriteConditions,
  ) {
    return reviewOf(await this.reviews.update(key, body, conditions));
  }

  @Delete(':reviewId')
  @RequirePermission('delete', { orOwner: 'userId' })
  @AnswersNothing('Delete a review')
  @Fails(REVIEW_NOT_FOUND)
  async remove(@PathKey(KEY) key: ReviewKey, @Conditions() conditions: WriteConditions) {
    await this.reviews.remove(key, conditions);
  }
}
