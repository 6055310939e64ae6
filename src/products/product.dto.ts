import { BodyOf, Choice, PatchOf, PickOf } from '@plinth/core';

import { Product } from './product.entity.js';

const RESPONSE_FIELDS = [
  'id',
  'name',
  'price',
  'inStock',
  'category',
  'rating',
  'createdAt',
  'updatedAt',
] as const;

export class ProductDto extends PickOf(Product, RESPONSE_FIELDS) {}

export class ProductV2Dto extends PickOf(Product, [...RESPONSE_FIELDS, 'description', 'reviewCount']) {
  @Choice({ of: ['USD'], description: 'The currency of `price` (ISO 4217).', example: 'USD' })
  currency: 'USD';
}

/** In bodies, version 1 ignores the read-only fields of version 2 too, but refuses `description` as unknown. */
const ProductV1Body = PickOf(ProductV2Dto, [...RESPONSE_FIELDS, 'reviewCount', 'currency']);

/** A new product must have a category. PUT and PATCH may set the category to null. */
export class CreateProductDto extends BodyOf(ProductV1Body, ['name', 'price', 'category', 'inStock'], {
  category: { nullable: false },
}) {}

export class ReplaceProductDto extends BodyOf(ProductV1Body, ['name', 'price', 'inStock', 'category'], {
  price: { example: 44.9 },
}) {}

export class PatchProductDto extends PatchOf(ReplaceProductDto) {}

export class CreateProductV2Dto extends BodyOf(
  ProductV2Dto,
  ['name', 'price', 'category', 'inStock', 'description'],
  { category: { nullable: false } },
) {}

export class ReplaceProductV2Dto extends BodyOf(
  ProductV2Dto,
  ['name', 'price', 'inStock', 'category', 'description'],
  { price: { example: 44.9 } },
) {}

export class PatchProductV2Dto extends PatchOf(ReplaceProductV2Dto) {}
