import { Get, Injectable, Module, Param } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Caller } from '../../../src/access/caller.js';
import { CurrentUser } from '../../../src/access/current-user.decorator.js';
import { RequirePermission } from '../../../src/access/require-permission.decorator.js';
import { Database } from '../../../src/database/database.js';
import { ParseIdPipe } from '../../../src/fields/parse-id.pipe.js';
import { ListQuery } from '../../../src/lists/list-parameters.decorator.js';
import { Page } from '../../../src/lists/page.js';
import { ResourceRepository } from '../../../src/resources/resource-repository.js';
import { Resource } from '../../../src/resources/resource.decorator.js';
import { ResourceReads } from '../../../src/resources/resource.service.js';
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
