import { Delete, Get, Patch, Post, Put } from '@nestjs/common';

import { itself } from '#src/access/grants/granted.js';
import { Needs } from '#src/access/needs.decorator.js';
import { Cached, CATALOGUE } from '#src/common/caching/cache-policy.js';
import { Conditions } from '#src/common/caching/conditions.decorator.js';
import type { WriteConditions } from '#src/common/caching/preconditions.js';
import { Resource } from '#src/common/http/resource.decorator.js';
import { ListParameters } from '#src/common/lists/list-parameters.decorator.js';
import type { ListQuery } from '#src/common/lists/list-query.js';
import { pageOf } from '#src/common/lists/list-representation.js';
import { Answers, AnswersList, AnswersNothing } from '#src/common/openapi/answers.decorator.js';
import { Fails } from '#src/common/openapi/fails.decorator.js';
import { PathId } from '#src/common/validation/id.decorator.js';
import { Payload } from '#src/common/validation/payload.decorator.js';
import { Idempotent, type Once } from '#src/database/idempotency/once.decorator.js';
import { PRODUCT_NOT_FOUND } from '#src/products/product.errors.js';
import { productList } from '#src/products/product.lists.js';
import { ProductsService } from '#src/products/products.service.js';

import { ProductV2Dto } from './product.dto.js';
import { productV2Of, toProductV2 } from './product.mapper.js';
import { CreateProductV2Dto, PatchProductV2Dto, ReplaceProductV2Dto } from './write-product.dto.js';

@Resource({ path: 'products', version: '2', of: ProductV2Dto, policy: { granted: [itself('product')] } })
export class ProductsV2Controller {
  constructor(private readonly products: ProductsService) {}

  @Get()
  @Needs('read', { anonymous: true })
  @Cached(CATALOGUE)
  @AnswersList(ProductV2Dto, 'List products')
  async list(@ListParameters(productList) query: ListQuery) {
    return pageOf(toProductV2)(await this.products.list(query));
  }

  @Get(':id')
  @Needs('read', { anonymous: true })
  @Cached(CATALOGUE)
  @Answers(200, ProductV2Dto, 'Read a product')
  @Fails(PRODUCT_NOT_FOUND)
  async get(@PathId() id: number) {
    return productV2Of(await this.products.get(id));
  }

  @Post()
  @Needs('create')
  @Cached(CATALOGUE)
  @Answers(201, ProductV2Dto, 'Create a product')
  create(@Payload(CreateProductV2Dto, ProductV2Dto) body: CreateProductV2Dto, @Idempotent() once: Once) {
    return once(async (on) => productV2Of(await this.products.create(body, on)));
  }

  @Put(':id')
  @Needs('update')
  @Cached(CATALOGUE)
  @Answers(200, ProductV2Dto, 'Replace a product')
  @Fails(PRODUCT_NOT_FOUND)
  async replace(
    @PathId() id: number,
    @Payload(ReplaceProductV2Dto, ProductV2Dto) body: ReplaceProductV2Dto,
    @Conditions() conditions: WriteConditions,
  ) {
    return productV2Of(await this.products.replace(id, body, conditions));
  }

  @Patch(':id')
  @Needs('update')
  @Cached(CATALOGUE)
  @Answers(200, ProductV2Dto, 'Change some fields of a product')
  @Fails(PRODUCT_NOT_FOUND)
  async patch(
    @PathId() id: number,
    @Payload(PatchProductV2Dto, ProductV2Dto) body: PatchProductV2Dto,
    @Conditions() conditions: WriteConditions,
  ) {
    return productV2Of(await this.products.patch(id, body, conditions));
  }

  @Delete(':id')
  @Needs('delete')
  @AnswersNothing('Delete a product')
  @Fails(PRODUCT_NOT_FOUND)
  async remove(@PathId() id: number, @Conditions() conditions: WriteConditions) {
    await this.products.remove(id, conditions);
  }
}
