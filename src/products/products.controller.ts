import { Body, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  Batch,
  type BatchResults,
  Caller,
  CurrentUser,
  type Facets,
  FacetsQuery,
  ListQuery,
  Page,
  ParseIdPipe,
  Preconditions,
  RequirePermission,
  Resource,
  SingleStatement,
  type SqlExecutor,
} from '@plinth/core';

import { CreateProductDto, PatchProductDto, ProductDto, ReplaceProductDto } from './product.dto.js';
import { Product } from './product.entity.js';
import { productList, PRODUCTS } from './product.resource.js';
import { ProductsService } from './products.service.js';

@Resource({ ...PRODUCTS, version: '1', responseDto: ProductDto })
export class ProductsController {
  constructor(private readonly products: ProductsService) {}

  @Get()
  @RequirePermission('read', { anonymous: true })
  list(@ListQuery(productList) query: ListQuery): Promise<Page<Product>> {
    return this.products.list(query);
  }

  @Get('facets')
  @RequirePermission('read', { anonymous: true })
  facets(@FacetsQuery(productList) query: ListQuery): Promise<Facets> {
    return this.products.facets(query);
  }

  @Get(':id')
  @RequirePermission('read', { anonymous: true })
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Product> {
    return this.products.get(id, caller);
  }

  @Post()
  @RequirePermission('create')
  create(@Body() body: CreateProductDto, @SingleStatement() db: SqlExecutor): Promise<Product> {
    return this.products.create(body, db);
  }

  @Post('batch')
  batch(@Batch() batch: Batch): Promise<BatchResults> {
    return batch.run(this.products);
  }

  @Put(':id')
  @RequirePermission('update')
  replace(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: ReplaceProductDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Product> {
    return this.products.replace(id, body, caller, preconditions);
  }

  @Patch(':id')
  @RequirePermission('update')
  patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchProductDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Product> {
    return this.products.patch(id, body, caller, preconditions);
  }

  @Delete(':id')
  @RequirePermission('delete')
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.products.remove(id, caller, preconditions);
  }
}
