import { atLeast, defineList, equals, PickOf, ResourceDefinition, text, where } from '@plinth/core';

import { PRODUCT_NOT_FOUND } from '../../../../../src/products/product.errors.js';
import { TaggedProduct } from './tagged-product.entity.js';

export const taggedProductList = defineList(TaggedProduct, {
  name: 'tagged-products',
  filters: {
    inStock: equals('inStock'),
    category: equals('category'),
    minTags: atLeast('tagCount'),
    tag: where(
      text({ max: 30 }),
      (tag, product) =>
        `exists (select from product_tags t where t.product_id = ${product.id} and t.tag = ${tag})`,
      { description: 'Returns only products that have this tag.' },
    ),
  },
  sorts: ['name', 'price', 'category', 'tagCount'],
  unindexed: ['category', 'tagCount'],
});

export class TaggedProductDto extends PickOf(TaggedProduct, [
  'id',
  'name',
  'price',
  'category',
  'tagCount',
  'createdAt',
  'updatedAt',
]) {}

export const TAGGED_PRODUCTS: ResourceDefinition<TaggedProduct> = {
  path: 'tagged-products',
  entity: TaggedProduct,
  notFound: PRODUCT_NOT_FOUND,
};
