import { ExpressionIndex, ResourceEntity, Text } from '@plinth/core';
import { Entity } from 'typeorm';

@Entity('suppliers')
@ExpressionIndex('suppliers_name_key', 'lower(name)', { unique: true })
export class Supplier extends ResourceEntity {
  @Text({ max: 200, example: 'Nordic Lamps' })
  name: string;

  @Text({ max: 100, nullable: true, example: 'Norway' })
  country: string | null;
}
