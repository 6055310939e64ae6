import {
  anyOf,
  atLeast,
  defineList,
  equals,
  isNull,
  matches,
  PickOf,
  ResourceDefinition,
  startsWith,
  text,
  where,
} from '../../../src/core/index.js';
import { PRODUCT_NOT_FOUND } from '../../../src/products/product.errors.js';
import { TaggedProduct } from './tagged-product.entity.js';

const TAG = text({ max: 30 });

export const taggedProductList = defineList(TaggedProduct, {
  name: 'tagged-products',
  filters: {
    inStock: equals('inStock'),
    category: anyOf('category'),
    uncategorized: isNull('category'),
    name: startsWith('name'),
    q: matches(['name', 'description'], { language: 'english' }),
    minTags: atLeast('tagCount'),
    tag: where(
      TAG,
      (tag, product) =>
        `exists (select from product_tags t where t.product_id = ${product.id} and t.tag = ${tag})`,
      { description: 'Only those that have this tag.' },
    ),
    anyTag: where(
      TAG,
      (tags, product) =>
        `${product.id} in (select t.product_id from product_tags t where t.tag = any(${tags}))`,
      { several: true, description: 'Only those that have one of these tags.' },
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
