import { Check, DeleteDateColumn, Entity, ForeignKey, Index, Unique } from 'typeorm';

import { ExpressionIndex } from '../../src/database/expression-index.js';
import { ArrayOf, Json } from '../../src/fields/json-fields.js';
import * as fields from '../../src/fields/fields.js';
import { text } from '../../src/fields/kinds.js';
import { defineList } from '../../src/lists/list-definition.js';
import { ResourceEntity, UuidResourceEntity } from '../../src/resources/resource.entity.js';

@Entity('scratch_brands')
@Check('scratch_brands_founded_range', `founded > '1000-01-01'`)
@ExpressionIndex('scratch_brands_name_key', 'lower(name)', { unique: true })
@Index('scratch_brands_open', ['country'], { where: 'country is not null' })
export class Brand extends ResourceEntity {
  @fields.Text({ max: 200, column: { collation: 'und-x-icu' } })
  name: string;

  @fields.Text({ max: 100, nullable: true })
  country: string | null;

  @fields.DateOnly({ nullable: true })
  founded: string | null;

  @DeleteDateColumn({ type: 'timestamptz', precision: 3 })
  deletedAt: Date | null;
}

export const brandList = defineList(Brand, {
  name: 'scratch_brands',
  sorts: ['name', 'founded', 'country'],
});

@Entity('scratch_models')
@Unique(['brandId', 'code'])
export class Model extends UuidResourceEntity {
  @fields.Integer()
  @ForeignKey(() => Brand, { onDelete: 'CASCADE' })
  brandId: number;

  @fields.Text({ max: 30, default: `it's` })
  code: string;

  @fields.Choice({ of: ['new', 'used'], default: 'new' })
  state: string;

  @fields.Money({ default: 1.5 })
  price: number;

  @fields.Decimal({ precision: 6, scale: 3, nullable: true })
  weight: number | null;

  @fields.Integer({ default: 1 })
  pieces: number;

  @fields.BigInteger({ nullable: true })
  bytes: number | null;

  @fields.Flag({ default: true })
  isSold: boolean;

  @fields.Timestamp({ nullable: true })
  soldAt: string | null;

  @fields.Uuid({ nullable: true })
  serial: string | null;

  @fields.Url({ nullable: true })
  link: string | null;

  @fields.Email({ nullable: true })
  contact: string | null;

  @Json({ max: 1000, nullable: true })
  parts: object | null;

  @ArrayOf(text({ max: 30 }), { max: 10 })
  tags: string[];
}
