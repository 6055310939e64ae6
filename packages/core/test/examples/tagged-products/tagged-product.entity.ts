import { Integer } from '@plinth/core';
import { Entity } from 'typeorm';

import { Product } from '../../../../../src/products/product.entity.js';

/** A product with a value that is computed from its tags. */
@Entity('products')
export class TaggedProduct extends Product {
  @Integer({
    computed: ({ id }) => `select count(*) from product_tags t where t.product_id = ${id!}`,
    example: 3,
  })
  tagCount: number;
}
