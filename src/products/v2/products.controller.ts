import { Delete, Get, Patch, Post, Put } from '@nestjs/common';

import { grantsOn } from '../../access/grant-links.js';
import { RequirePermission } from '../../access/require-permission.decorator.js';
import { Cached, CATALOGUE } from '../../http/caching/cache-policy.js';
import type { WriteConditions } from '../../http/caching/preconditions.js';
import { ListParameters } from '../../lists/list-parameters.decorator.js';
import type { ListQuery } from '../../lists/list-query.js';
import { pageOf } from '../../lists/list-representation.js';
import { Conditions } from '../../resources/conditions.decorator.js';
import { Idempotent, type Once } from '../../resources/idempotency/once.decorator.js';
import { Answers, AnswersList, AnswersNothing } from '../../resources/openapi/answers.decorator.js';
import { Fails } from '../../resources/openapi/fails.decorator.js';
import { PathId } from '../../resources/path-id.decorator.js';
import { Payload } from '../../resources/payload.decorator.js';
import { Resource } from '../../resources/resource.decorator.js';
import { PRODUCT_NOT_FOUND } from '../product.errors.js';
import { productList } from '../product.lists.js';
import { ProductsService } from '../products.service.js';
import { ProductV2Dto } from './product.dto.js';
import { productV2Of, toProductV2 } from './product.mapper.js';
import { CreateProductV2Dto, PatchProductV2Dto, ReplaceProductV2Dto } from './write-product.dto.js';

@Resource({ path: 'products', version: '2', of: ProductV2Dto, policy: { grants: [grantsOn('product')] } })
export class ProductsV2Controller {
  constructor(private readonly products: ProductsService) {}

  @Get()
  @RequirePermission('read', { anonymous: true })
  @Cached(CATALOGUE)
  @AnswersList(ProductV2Dto, 'List products')
  async list(@ListParameters(productList) query: ListQuery) {
    return pageOf(toProductV2)(await this.products.list(query));
  }

  @Get(':id')
  @RequirePermission('read', { anonymous: true })
  @Cached(CATALOGUE)
  @Answers(200, ProductV2Dto, 'Read a product')
  @Fails(PRODUCT_NOT_FOUND)
  async get(@PathId() id: number) {
    return productV2Of(await this.products.get(id));
  }

  @Post()
  @RequirePermission('create')
  @Cached(CATALOGUE)
  @Answers(201, ProductV2Dto, 'Create a product')
  create(@Payload(CreateProductV2Dto, ProductV2Dto) body: CreateProductV2Dto, @Idempotent() once: Once) {
    return once(async (on) => productV2Of(await this.products.create(body, on)));
  }

  @Put(':id')
  @RequirePermission('update')
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
  @RequirePermission('update')
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
  @RequirePermission('delete')
  @AnswersNothing('Delete a product')
  @Fails(PRODUCT_NOT_FOUND)
  async remove(@PathId() id: number, @Conditions() conditions: WriteConditions) {
    await this.products.remove(id, conditions);
  }
}
