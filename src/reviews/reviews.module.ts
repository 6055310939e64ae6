import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ProductsModule } from '../products/products.module.js';
import { ProductReviewsController } from './product-reviews.controller.js';
import { ReviewEntity } from './review.entity.js';
import { ReviewsController } from './reviews.controller.js';
import { ReviewsRepository } from './reviews.repository.js';
import { ReviewsService } from './reviews.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ReviewEntity]), ProductsModule],
  controllers: [ReviewsController, ProductReviewsController],
  providers: [ReviewsService, ReviewsRepository],
})
export class ReviewsModule {}
