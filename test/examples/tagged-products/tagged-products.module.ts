import { Get, Injectable, Module, Param } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Caller } from '../../../src/core/access/caller.js';
import { CurrentUser } from '../../../src/core/access/current-user.decorator.js';
import { RequirePermission } from '../../../src/core/access/require-permission.decorator.js';
import { Database } from '../../../src/core/database/database.js';
import { ParseIdPipe } from '../../../src/core/fields/parse-id.pipe.js';
import { ListQuery } from '../../../src/core/lists/list-parameters.decorator.js';
import { Page } from '../../../src/core/lists/page.js';
import { ResourceRepository } from '../../../src/core/resources/resource-repository.js';
import { Resource } from '../../../src/core/resources/resource.decorator.js';
import { ResourceReads } from '../../../src/core/resources/resource.service.js';
import { ProductTag } from './product-tag.entity.js';
import { TaggedProduct } from './tagged-product.entity.js';
import { TAGGED_PRODUCTS, TaggedProductDto, taggedProductList } from './tagged-product.resource.js';

@Injectable()
class TaggedProductsService extends ResourceReads<TaggedProduct> {
  constructor(database: Database) {
    super(new ResourceRepository(database, TAGGED_PRODUCTS));
  }
}

@Resource({ ...TAGGED_PRODUCTS, version: '2', shows: TaggedProductDto })
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
  providers: [TaggedProductsService],
})
export class TaggedProductsModule {}
