import { Body, Delete, Get, Patch, Post, Put } from '@nestjs/common';

import { ListQuery } from '../lists/list-parameters.decorator.js';
import { Preconditions } from '../resources/conditions.decorator.js';
import { PathId } from '../resources/path-id.decorator.js';
import { Resource } from '../resources/resource.js';
import { Transaction } from '../resources/transaction.decorator.js';
import { CreateProductDto, PatchProductDto, ProductDto, ReplaceProductDto } from './product.dto.js';
import { PRODUCTS } from './product.resource.js';
import { ProductsService } from './products.service.js';

@Resource({ ...PRODUCTS, version: '1', of: ProductDto })
export class ProductsController {
  constructor(protected readonly products: ProductsService) {}

  @Get()
  list(@ListQuery() query: ListQuery) {
    return this.products.list(query);
  }

  @Get(':id')
  get(@PathId() id: number) {
    return this.products.get(id);
  }

  @Post()
  create(@Body() body: CreateProductDto, @Transaction() tx: Transaction) {
    return this.products.create(body, tx);
  }

  @Put(':id')
  replace(
    @PathId() id: number,
    @Body() body: ReplaceProductDto,
    @Preconditions() preconditions: Preconditions,
  ) {
    return this.products.replace(id, body, preconditions);
  }

  @Patch(':id')
  patch(@PathId() id: number, @Body() body: PatchProductDto, @Preconditions() preconditions: Preconditions) {
    return this.products.patch(id, body, preconditions);
  }

  @Delete(':id')
  remove(@PathId() id: number, @Preconditions() preconditions: Preconditions) {
    return this.products.remove(id, preconditions);
  }
}
