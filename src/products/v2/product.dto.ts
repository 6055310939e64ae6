import { ApiSchema } from '@nestjs/swagger';

import { Choice, Integer, Text } from '../../fields/fields.js';
import { ProductDto } from '../dto/product.dto.js';

@ApiSchema({ name: 'ProductV2' })
export class ProductV2Dto extends ProductDto {
  @Text({ max: 5000, blank: true, nullable: true, example: 'Turned from one block, with a linen shade.' })
  description: string | null;

  @Choice({ of: ['USD'], description: 'Of `price`, ISO 4217.', example: 'USD' })
  currency: 'USD';

  @Integer({ min: 0, max: 2_147_483_647, example: 8 })
  reviewCount: number;
}
