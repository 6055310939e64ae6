import { Body, Param, Patch, Post, Put } from '@nestjs/common';
import {
  Caller,
  CurrentUser,
  ParseIdPipe,
  Preconditions,
  RequirePermission,
  Resource,
  SingleStatement,
  type SqlExecutor,
} from '@plinth/core';

import { CreateProductV2Dto, PatchProductV2Dto, ProductV2Dto, ReplaceProductV2Dto } from './product.dto.js';
import { Product } from './product.entity.js';
import { PRODUCTS } from './product.resource.js';
import { ProductsController } from './products.controller.js';

/**
 * Version 2 shows more fields of a product, and accepts a description. All other routes are inherited from version 1.
 */
@Resource({
  ...PRODUCTS,
  version: '2',
  responseDto: ProductV2Dto,
  map: (product: Product): ProductV2Dto => ({ ...product, currency: 'USD' }),
})
export class ProductsV2Controller extends ProductsController {
  @Post()
  @RequirePermission('create')
  override create(@Body() body: CreateProductV2Dto, @SingleStatement() db: SqlExecutor): Promise<Product> {
    return super.create(body, db);
  }

  @Put(':id')
  @RequirePermission('update')
  override replace(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: ReplaceProductV2Dto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Product> {
    return super.replace(id, body, caller, preconditions);
  }

  @Patch(':id')
  @RequirePermission('update')
  override patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchProductV2Dto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Product> {
    return super.patch(id, body, caller, preconditions);
  }
}
