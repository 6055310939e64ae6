import { ExpressionIndex, ResourceEntity, Text } from '@plinth/core';
import { Entity } from 'typeorm';

/** A company whose people ask the desk for help. */
@Entity('companies')
@ExpressionIndex('companies_name_key', 'lower(name)', { unique: true })
export class Company extends ResourceEntity {
  @Text({ max: 200, example: 'Acme' })
  name: string;
}
