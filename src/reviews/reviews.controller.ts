import { Body, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  ApiErrorResponse,
  Caller,
  CurrentUser,
  grantsOn,
  grantsOnParent,
  ListQuery,
  Page,
  ParseIdPipe,
  Preconditions,
  RequirePermission,
  Resource,
  Transaction,
} from '@plinth/core';

import { PRODUCT_NOT_FOUND } from '../products/product.errors.js';
import { PatchReviewDto, ReviewDto, ReviewKey, ReviewV2Dto, WriteReviewDto } from './review.dto.js';
import { Review } from './review.entity.js';
import { reviewList, REVIEWS } from './review.resource.js';
import { ReviewsService } from './reviews.service.js';

/** Lets any user create a review, and lets the author of a review change and delete it. */
const AUTHORS = { ownerField: 'userId' } as const;

@Resource({ ...REVIEWS, version: ['1', '2'], responseDto: { 1: ReviewDto, 2: ReviewV2Dto } })
@RequirePermission('read', { anonymous: true })
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get()
  list(@ListQuery(reviewList) query: ListQuery): Promise<Page<Review>> {
    return this.reviews.list(query);
  }

  @Get(':id')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Review> {
    return this.reviews.get(id, caller);
  }
}

@Resource({
  ...REVIEWS,
  path: 'products/:id/reviews',
  version: ['1', '2'],
  responseDto: { 1: ReviewDto, 2: ReviewV2Dto },
  grants: [grantsOn('review', 'reviewId'), grantsOnParent('product', 'productId', 'id')],
})
export class ProductReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get()
  @RequirePermission('read', { anonymous: true })
  @ApiErrorResponse(PRODUCT_NOT_FOUND)
  list(
    @Param('id', ParseIdPipe) productId: number,
    @ListQuery(reviewList, { productId: 'id' }) query: ListQuery,
  ): Promise<Page<Review>> {
    return this.reviews.listOfProduct(productId, query);
  }

  @Get(':reviewId')
  @RequirePermission('read', { anonymous: true })
  get(@Param() key: ReviewKey, @CurrentUser() caller: Caller): Promise<Review> {
    return this.reviews.get(key, caller);
  }

  @Post()
  @RequirePermission('create', AUTHORS)
  create(
    @Param('id', ParseIdPipe) productId: number,
    @Body() body: WriteReviewDto,
    @CurrentUser() { userId }: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Review> {
    return this.reviews.create({ ...body, productId, userId }, tx);
  }

  @Put(':reviewId')
  @RequirePermission('update', AUTHORS)
  replace(
    @Param() key: ReviewKey,
    @Body() body: WriteReviewDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Review> {
    return this.reviews.replace(key, body, caller, preconditions);
  }

  @Patch(':reviewId')
  @RequirePermission('update', AUTHORS)
  patch(
    @Param() key: ReviewKey,
    @Body() body: PatchReviewDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Review> {
    return this.reviews.patch(key, body, caller, preconditions);
  }

  @Delete(':reviewId')
  @RequirePermission('delete', AUTHORS)
  remove(
    @Param() key: ReviewKey,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.reviews.remove(key, caller, preconditions);
  }
}
