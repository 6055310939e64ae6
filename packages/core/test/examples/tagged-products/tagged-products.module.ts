import { Get, Injectable, Module, Param } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  Caller,
  CurrentUser,
  Database,
  ListQuery,
  Page,
  ParseIdPipe,
  RequirePermission,
  Resource,
  ResourceReads,
  ResourceRepository,
} from '@plinth/core';

import { ProductTag } from './product-tag.entity.js';
import { TaggedProduct } from './tagged-product.entity.js';
import { TAGGED_PRODUCTS, TaggedProductDto, taggedProductList } from './tagged-product.resource.js';

@Injectable()
class TaggedProductsRepository extends ResourceRepository<TaggedProduct> {
  constructor(database: Database) {
    super(database, TAGGED_PRODUCTS);
  }
}

@Injectable()
class TaggedProductsService extends ResourceReads<TaggedProduct> {
  constructor(products: TaggedProductsRepository) {
    super(products);
  }
}

@Resource({ ...TAGGED_PRODUCTS, version: '2', responseDto: TaggedProductDto })
class TaggedProductsController {
  constructor(private readonly products: TaggedProductsService) {}

  @Get()
  @RequirePermission('read')
  list(@ListQuery(taggedProductList) query: ListQuery): Promise<Page<TaggedProduct>> {
    return this.products.list(query);
  }

  @Get(':id')
  @RequirePermission('read')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<TaggedProduct> {
    return this.products.get(id, caller);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([ProductTag, TaggedProduct])],
  controllers: [TaggedProductsController],
  providers: [TaggedProductsService, TaggedProductsRepository],
})
export class TaggedProductsModule {}
