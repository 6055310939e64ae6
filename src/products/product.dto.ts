import { BodyOf, Choice, PatchOf, PickOf } from '@plinth/core';

import { Product } from './product.entity.js';

const SHOWN = ['id', 'name', 'price', 'inStock', 'category', 'rating', 'createdAt', 'updatedAt'] as const;

export class ProductDto extends PickOf(Product, SHOWN) {}

/** A new product needs a category; it can lose it later. */
export class CreateProductDto extends BodyOf(ProductDto, ['name', 'price', 'category', 'inStock'], {
  category: { nullable: false },
}) {}

export class ReplaceProductDto extends BodyOf(ProductDto, ['name', 'price', 'inStock', 'category'], {
  price: { example: 44.9 },
}) {}

export class PatchProductDto extends PatchOf(ReplaceProductDto) {}

export class ProductV2Dto extends PickOf(Product, [...SHOWN, 'description', 'reviewCount']) {
  @Choice({ of: ['USD'], description: 'Of `price`, ISO 4217.', example: 'USD' })
  currency: 'USD';
}

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
