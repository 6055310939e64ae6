import { ApiSchema } from '@nestjs/swagger';

import { Id, Integer, Text, Timestamp } from '../../fields/fields.js';

@ApiSchema({ name: 'Review' })
export class ReviewDto {
  @Id()
  id: number;

  @Id()
  productId: number;

  @Id({ description: 'Who wrote it.' })
  userId: number;

  @Integer({ min: 1, max: 5, example: 4 })
  rating: number;

  @Text({ max: 5000, blank: true, nullable: true, example: 'Warm light, heavy foot.' })
  comment: string | null;

  @Timestamp()
  createdAt: string;

  @Timestamp()
  updatedAt: string;
}
