import { Body, Patch, Post, Put } from '@nestjs/common';

import { Preconditions } from '../resources/conditions.decorator.js';
import { PathId } from '../resources/path-id.decorator.js';
import { Resource } from '../resources/resource.js';
import { Transaction } from '../resources/transaction.decorator.js';
import { CreateProductV2Dto, PatchProductV2Dto, ProductV2Dto, ReplaceProductV2Dto } from './product.dto.js';
import { Product } from './product.entity.js';
import { PRODUCTS } from './product.resource.js';
import { ProductsController } from './products.controller.js';

/** Version 2 shows and takes more of a product; its other routes are those of version 1. */
@Resource({
  ...PRODUCTS,
  version: '2',
  of: ProductV2Dto,
  show: (product: Product): ProductV2Dto => ({ ...product, currency: 'USD' }),
})
export class ProductsV2Controller extends ProductsController {
  @Post()
  override create(@Body() body: CreateProductV2Dto, @Transaction() tx: Transaction) {
    return this.products.create(body, tx);
  }

  @Put(':id')
  override replace(
    @PathId() id: number,
    @Body() body: ReplaceProductV2Dto,
    @Preconditions() preconditions: Preconditions,
  ) {
    return this.products.replace(id, body, preconditions);
  }

  @Patch(':id')
  override patch(
    @PathId() id: number,
    @Body() body: PatchProductV2Dto,
    @Preconditions() preconditions: Preconditions,
  ) {
    return this.products.patch(id, body, preconditions);
  }
}
