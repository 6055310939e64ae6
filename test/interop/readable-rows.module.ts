import { Body, Delete, Get, Module, Param, Patch, Post } from '@nestjs/common';
import {
  Caller,
  CurrentUser,
  ParseIdPipe,
  Preconditions,
  RequirePermission,
  Resource,
  Transaction,
} from '@plinth/core';

import { PatchReviewDto, ReviewV2Dto } from '../../src/reviews/review.dto.js';
import { Review } from '../../src/reviews/review.entity.js';
import { REVIEWS } from '../../src/reviews/review.resource.js';
import { ReviewsRepository } from '../../src/reviews/reviews.repository.js';
import { ReviewsService } from '../../src/reviews/reviews.service.js';

const STAFF_OR_OWNER = { staff: true, ownerField: 'userId' } as const;

/** Everybody reads these rows. The staff and their owners write them. */
@Resource({ ...REVIEWS, path: 'opinions', version: '2', responseDto: ReviewV2Dto })
class OpinionsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get(':id')
  @RequirePermission('read')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Review> {
    return this.reviews.get(id, caller);
  }

  @Patch(':id')
  @RequirePermission('update', STAFF_OR_OWNER)
  patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchReviewDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Review> {
    return this.reviews.patch(id, body, caller, preconditions);
  }

  @Post(':id/approval')
  @RequirePermission('update', STAFF_OR_OWNER)
  approve(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
    @Transaction() tx: Transaction,
  ): Promise<Review> {
    return this.reviews.patch(id, { comment: 'approved' }, caller, preconditions, tx);
  }

  @Delete(':id')
  @RequirePermission('delete', STAFF_OR_OWNER)
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.reviews.remove(id, caller, preconditions);
  }
}

/** The staff and the owners read these rows. Callers with the permission, and the owners, write them. */
@Resource({ ...REVIEWS, path: 'diaries', version: '2', responseDto: ReviewV2Dto })
class DiariesController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get(':id')
  @RequirePermission('read', STAFF_OR_OWNER)
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Review> {
    return this.reviews.get(id, caller);
  }

  @Delete(':id')
  @RequirePermission('delete', { ownerField: 'userId' })
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.reviews.remove(id, caller, preconditions);
  }
}

@Module({
  controllers: [OpinionsController, DiariesController],
  providers: [ReviewsService, ReviewsRepository],
})
export class ReadableRowsModule {}
