import { ApiSchema } from '@nestjs/swagger';

import { PatchOf } from '../../fields/field.js';
import { Flag, Money, Text } from '../../fields/fields.js';

@ApiSchema({ name: 'CreateProduct' })
export class CreateProductDto {
  @Text({ max: 200, example: 'Walnut desk lamp' })
  name: string;

  @Money({ example: 49.9 })
  price: number;

  @Text({ max: 100, example: 'lighting' })
  category: string;

  @Flag({ default: true })
  inStock: boolean;
}

@ApiSchema({ name: 'ReplaceProduct' })
export class ReplaceProductDto {
  @Text({ max: 200, example: 'Walnut desk lamp' })
  name: string;

  @Money({ example: 49.9 })
  price: number;

  @Flag({ default: true })
  inStock: boolean;

  @Text({ max: 100, nullable: true, default: null, example: 'lighting' })
  category: string | null;
}

@ApiSchema({ name: 'PatchProduct' })
export class PatchProductDto extends PatchOf(ReplaceProductDto) {}
