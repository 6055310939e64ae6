import { Delete, Get, Patch, Post, Put } from '@nestjs/common';

import { grantsOn } from '../access/grant-links.js';
import { RequirePermission } from '../access/require-permission.decorator.js';
import { Cached, CATALOGUE } from '../http/caching/cache-policy.js';
import type { WriteConditions } from '../http/caching/preconditions.js';
import { ListParameters } from '../lists/list-parameters.decorator.js';
import type { ListQuery } from '../lists/list-query.js';
import { pageOf } from '../lists/list-representation.js';
import { Conditions } from '../resources/conditions.decorator.js';
import { Idempotent, type Once } from '../resources/idempotency/once.decorator.js';
import { Answers, AnswersList, AnswersNothing } from '../resources/openapi/answers.decorator.js';
import { Fails } from '../resources/openapi/fails.decorator.js';
import { PathId } from '../resources/path-id.decorator.js';
import { Payload } from '../resources/payload.decorator.js';
import { Resource } from '../resources/resource.decorator.js';
import { ProductDto } from './dto/product.dto.js';
import { CreateProductDto, PatchProductDto, ReplaceProductDto } from './dto/write-product.dto.js';
import { PRODUCT_NOT_FOUND } from './product.errors.js';
import { productList } from './product.lists.js';
import { productOf, toProduct } from './product.mapper.js';
import { ProductsService } from './products.service.js';

@Resource({ path: 'products', version: '1', of: ProductDto, policy: { grants: [grantsOn('product')] } })
export class ProductsController {
  constructor(private readonly products: ProductsService) {}

  @Get()
  @RequirePermission('read', { anonymous: true })
  @Cached(CATALOGUE)
  @AnswersList(ProductDto, 'List products')
  async list(@ListParameters(productList) query: ListQuery) {
    return pageOf(toProduct)(await this.products.list(query));
  }

  @Get(':id')
  @RequirePermission('read', { anonymous: true })
  @Cached(CATALOGUE)
  @Answers(200, ProductDto, 'Read a product')
  @Fails(PRODUCT_NOT_FOUND)
  async get(@PathId() id: number) {
    return productOf(await this.products.get(id));
  }

  @Post()
  @RequirePermission('create')
  @Cached(CATALOGUE)
  @Answers(201, ProductDto, 'Create a product')
  create(@Payload(CreateProductDto, ProductDto) body: CreateProductDto, @Idempotent() once: Once) {
    return once(async (on) => productOf(await this.products.create(body, on)));
  }

  @Put(':id')
  @RequirePermission('update')
  @Cached(CATALOGUE)
  @Answers(200, ProductDto, 'Replace a product')
  @Fails(PRODUCT_NOT_FOUND)
  async replace(
    @PathId() id: number,
    @Payload(ReplaceProductDto, ProductDto) body: ReplaceProductDto,
    @Conditions() conditions: WriteConditions,
  ) {
    return productOf(await this.products.replace(id, body, conditions));
  }

  @Patch(':id')
  @RequirePermission('update')
  @Cached(CATALOGUE)
  @Answers(200, ProductDto, 'Change some fields of a product')
  @Fails(PRODUCT_NOT_FOUND)
  async patch(
    @PathId() id: number,
    @Payload(PatchProductDto, ProductDto) body: PatchProductDto,
    @Conditions() conditions: WriteConditions,
  ) {
    return productOf(await this.products.patch(id, body, conditions));
  }

  @Delete(':id')
  @RequirePermission('delete')
  @AnswersNothing('Delete a product')
  @Fails(PRODUCT_NOT_FOUND)
  async remove(@PathId() id: number, @Conditions() conditions: WriteConditions) {
    await this.products.remove(id, conditions);
  }
}
