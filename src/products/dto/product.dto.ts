import { ApiSchema } from '@nestjs/swagger';

import { Decimal, Flag, Id, Money, Text, Timestamp } from '../../fields/fields.js';

@ApiSchema({ name: 'Product' })
export class ProductDto {
  @Id()
  id: number;

  @Text({ max: 200, example: 'Walnut desk lamp' })
  name: string;

  @Money({ example: 49.9 })
  price: number;

  @Flag({ example: true })
  inStock: boolean;

  @Text({ max: 100, nullable: true, example: 'lighting' })
  category: string | null;

  @Decimal({
    nullable: true,
    example: 4.25,
    description: 'Average of its reviews to two decimals; null without any.',
  })
  rating: number | null;

  @Timestamp()
  createdAt: string;

  @Timestamp()
  updatedAt: string;
}
