import { Entity } from 'typeorm';

import { Money, Text } from '../../../packages/core/src/fields/fields.js';
import { ResourceEntity } from '../../../packages/core/src/resources/resource.entity.js';

@Entity('notes')
export class Note extends ResourceEntity {
  @Text({ max: 100 })
  text: string;

  @Money({ nullable: true })
  price: number | null;
}
