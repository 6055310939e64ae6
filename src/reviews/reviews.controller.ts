import { Get, Param } from '@nestjs/common';
import { Caller, CurrentUser, ListQuery, Page, ParseIdPipe, RequirePermission, Resource } from '@plinth/core';

import { ReviewDto } from './review.dto.js';
import { Review } from './review.entity.js';
import { reviewList, REVIEWS } from './review.resource.js';
import { ReviewsService } from './reviews.service.js';

@Resource({ ...REVIEWS, version: ['1', '2'], shows: ReviewDto })
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
