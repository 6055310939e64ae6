import { ApiSchema } from '@nestjs/swagger';

import { PatchOf } from '../../fields/derive.js';
import { Integer, Text } from '../../fields/fields.js';

@ApiSchema({ name: 'WriteReview' })
export class WriteReviewDto {
  @Integer({ min: 1, max: 5, example: 4 })
  rating: number;

  @Text({ max: 5000, blank: true, nullable: true, default: null, example: 'Warm light, heavy foot.' })
  comment: string | null;
}

@ApiSchema({ name: 'PatchReview' })
export class PatchReviewDto extends PatchOf(WriteReviewDto) {}
