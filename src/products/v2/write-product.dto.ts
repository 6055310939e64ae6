import { ApiSchema } from '@nestjs/swagger';

import { PatchOf } from '../../fields/field.js';
import { Text } from '../../fields/fields.js';
import { CreateProductDto, ReplaceProductDto } from '../dto/write-product.dto.js';

const DESCRIPTION = {
  max: 5000,
  blank: true,
  nullable: true,
  default: null,
  example: 'Turned from one block, with a linen shade.',
};

@ApiSchema({ name: 'CreateProductV2' })
export class CreateProductV2Dto extends CreateProductDto {
  @Text(DESCRIPTION)
  description: string | null;
}

@ApiSchema({ name: 'ReplaceProductV2' })
export class ReplaceProductV2Dto extends ReplaceProductDto {
  @Text(DESCRIPTION)
  description: string | null;
}

@ApiSchema({ name: 'PatchProductV2' })
export class PatchProductV2Dto extends PatchOf(ReplaceProductV2Dto) {}
