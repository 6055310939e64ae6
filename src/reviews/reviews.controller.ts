import { Get, Param } from '@nestjs/common';
import { Caller, CurrentUser, ListQuery, Page, ParseIdPipe, RequirePermission, Resource } from '@plinth/core';

import { ReviewDto, ReviewV2Dto } from './review.dto.js';
import { Review } from './review.entity.js';
import { reviewList, REVIEWS } from './review.resource.js';
import { ReviewsService } from './reviews.service.js';

@Resource({ ...REVIEWS, version: ['1', '2'], shows: { 1: ReviewDto, 2: ReviewV2Dto } })
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get()
  @RequirePermission('read', { anonymous: true })
  list(@ListQuery(reviewList) query: ListQuery): Promise<Page<Review>> {
    return this.reviews.list(query);
  }

  @Get(':id')
  @RequirePermission('read', { anonymous: true })
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Review> {
    return this.reviews.get(id, caller);
  }
}
