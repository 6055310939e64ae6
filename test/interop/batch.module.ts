import { Body, Get, Injectable, Module, Param, Patch, Post } from '@nestjs/common';
import {
  ApiError,
  Batch,
  type BatchResults,
  Caller,
  SqlExecutor,
  CurrentUser,
  grantsOn,
  grantsOnParent,
  ParseIdPipe,
  Preconditions,
  RequirePermission,
  Resource,
  Transaction,
  UNPROCESSABLE_ENTITY,
} from '@plinth/core';

import { PatchReviewDto, ReviewV2Dto, WriteReviewDto } from '../../src/reviews/review.dto.js';
import { Review } from '../../src/reviews/review.entity.js';
import { REVIEWS } from '../../src/reviews/review.resource.js';
import { ReviewsRepository } from '../../src/reviews/reviews.repository.js';
import { ReviewsService } from '../../src/reviews/reviews.service.js';

/** The comments of the reviews that have been committed. */
export const announced: (string | null | undefined)[] = [];

/** A service with rules of its own. */
@Injectable()
class RemarksService extends ReviewsService {
  override async create(values: Partial<Review>, tx: SqlExecutor): Promise<Review> {
    tx.afterCommit(() => void announced.push(values.comment));
    const review = await super.create({ ...values, comment: values.comment ?? 'No comment' }, tx);
    if (values.comment === 'spam') throw new ApiError(UNPROCESSABLE_ENTITY, 'Nobody reads that.');
    return review;
  }
}

const AUTHORS = { ownerField: 'userId' } as const;

/** A remark belongs to the product in its path. No route deletes remarks. */
@Resource({
  ...REVIEWS,
  path: 'products/:id/remarks',
  version: '2',
  responseDto: ReviewV2Dto,
  grants: [grantsOn('review', 'reviewId'), grantsOnParent('product', 'productId', 'id')],
})
class RemarksController {
  constructor(private readonly remarks: RemarksService) {}

  @Post()
  @RequirePermission('create', AUTHORS)
  create(
    @Param('id', ParseIdPipe) productId: number,
    @Body() body: WriteReviewDto,
    @CurrentUser() { userId }: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Review> {
    return this.remarks.create({ ...body, productId, userId }, tx);
  }

  @Patch(':reviewId')
  @RequirePermission('update', AUTHORS)
  patch(
    @Param('id', ParseIdPipe) productId: number,
    @Param('reviewId', ParseIdPipe) id: number,
    @Body() body: PatchReviewDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Review> {
    return this.remarks.patch({ id, productId }, body, caller, preconditions);
  }

  @Post(':reviewId/approval')
  @RequirePermission('update')
  approve(
    @Param('id', ParseIdPipe) productId: number,
    @Param('reviewId', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Transaction() _tx: Transaction,
  ): Promise<Review> {
    return this.remarks.get({ id, productId }, caller);
  }

  @Get(':reviewId/reports')
  @RequirePermission('manage_users')
  reports(): object {
    return {};
  }

  @Post('batch')
  batch(@Param('id', ParseIdPipe) productId: number, @Batch() batch: Batch): Promise<BatchResults> {
    return batch.run({
      create: (body: WriteReviewDto, tx, { userId }) =>
        this.remarks.create({ ...body, productId, userId }, tx),
      patch: (id, body: PatchReviewDto, caller, preconditions, tx) =>
        this.remarks.patch({ id, productId }, body, caller, preconditions, tx),
    });
  }
}

@Module({ controllers: [RemarksController], providers: [RemarksService, ReviewsRepository] })
export class RemarksModule {}
