import { Id } from '@plinth/core';
import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { Product } from '../../../../../src/products/product.entity.js';

/** A tag of a product. A product may have many tags, and a tag many products. */
@Entity('product_tags')
@Index('product_tags_tag', ['tag', 'productId'])
export class ProductTag {
  @Id({ column: { primary: true } })
  @ForeignKey(() => Product, { onDelete: 'CASCADE' })
  productId: number;

  @PrimaryColumn({ type: 'varchar', length: 30 })
  tag: string;
}
