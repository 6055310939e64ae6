import { Entity } from 'typeorm';

import { Integer, Money, Text } from '../../../src/core/fields/fields.js';
import { ResourceEntity } from '../../../src/core/resources/resource.entity.js';

@Entity('notes')
export class Note extends ResourceEntity {
  @Text({ max: 100 })
  text: string;

  @Money({ nullable: true })
  price: number | null;

  @Integer({ default: 0 })
  readings: number;
}
