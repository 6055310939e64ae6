import { Entity, Index } from 'typeorm';

import { Text } from '../../../src/fields/fields.js';
import { ResourceEntity } from '../../../src/resources/resource.entity.js';

@Entity('suppliers')
// Of expressions and sorts, TypeORM knows the names only: the migration makes them.
@Index('suppliers_name_key', { synchronize: false })
@Index('suppliers_created_at', { synchronize: false })
@Index('suppliers_name', { synchronize: false })
export class Supplier extends ResourceEntity {
  // Sorted as people sort, whatever the locale of the database.
  @Text({ max: 200, example: 'Nordic Lamps', column: { collation: 'und-x-icu' } })
  name: string;

  @Text({ max: 100, nullable: true, example: 'Norway' })
  country: string | null;
}
