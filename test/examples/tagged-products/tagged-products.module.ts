import { Get, Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ListQuery } from '../../../src/lists/list-parameters.decorator.js';
import { PathId } from '../../../src/resources/path-id.decorator.js';
import { Resource } from '../../../src/resources/resource.js';
import { ServiceOf } from '../../../src/resources/service-of.js';
import { ProductTag } from './product-tag.entity.js';
import { TaggedProduct } from './tagged-product.entity.js';
import { TAGGED_PRODUCTS, TaggedProductDto } from './tagged-product.resource.js';

@Injectable()
class TaggedProductsService extends ServiceOf(TAGGED_PRODUCTS) {}

@Resource({ ...TAGGED_PRODUCTS, version: '2', of: TaggedProductDto })
class TaggedProductsController {
  constructor(private readonly products: TaggedProductsService) {}

  @Get()
  list(@ListQuery() query: ListQuery) {
    return this.products.list(query);
  }

  @Get(':id')
  get(@PathId() id: number) {
    return this.products.get(id);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([ProductTag, TaggedProduct])],
  controllers: [TaggedProductsController],
  providers: [TaggedProductsService],
})
export class TaggedProductsModule {}
