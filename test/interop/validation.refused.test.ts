import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';

import { defineList } from '../../src/core/lists/list-definition.js';
import { equals } from '../../src/core/lists/filters.js';
import { ListQuery } from '../../src/core/lists/list-parameters.decorator.js';
import { ProductDto } from '../../src/products/product.dto.js';
import { Product } from '../../src/products/product.entity.js';
import { PRODUCTS } from '../../src/products/product.resource.js';
import { RequirePermission } from '../../src/core/access/require-permission.decorator.js';
import { Resource } from '../../src/core/resources/resource.decorator.js';
import { startInProcess } from '../support/own-app.js';

describe('a declaration that would be ignored is refused at start', () => {
  class Inner {
    @IsString()
    text: string;
  }

  class UntypedDto {
    @ValidateNested({ each: true })
    items: Inner[];
  }

  it('the class of a property whose rules nobody checks', async () => {
    class UncheckedDto {
      @IsString()
      name: string;

      @IsOptional()
      @Type(() => Inner)
      inner?: Inner;
    }
    @Controller('unchecked')
    class UncheckedController {
      @Post()
      create(@Body() body: UncheckedDto): unknown {
        return body;
      }
    }
    @Module({ controllers: [UncheckedController] })
    class UncheckedModule {}
    await expect(startInProcess({}, undefined, [UncheckedModule])).rejects.toThrow(
      'UncheckedDto.inner: the rules of Inner are not checked; add @ValidateNested()',
    );
  });

  it('@ValidateNested() without a class', async () => {
    @Controller('untyped')
    class UntypedController {
      @Post()
      create(@Body() body: UntypedDto): unknown {
        return body;
      }
    }
    @Module({ controllers: [UntypedController] })
    class UntypedModule {}
    await expect(startInProcess({}, undefined, [UntypedModule])).rejects.toThrow(
      'UntypedDto.items: @ValidateNested() needs @Type(() => Class)',
    );
  });

  it('a filter on a property that there is not', async () => {
    const filters = { color: equals('color' as 'name') };
    const list = defineList(Product, { name: 'colored-products', filters });
    @Resource({ ...PRODUCTS, path: 'colored-products', version: '1', shows: ProductDto })
    class ColoredProductsController {
      @Get()
      @RequirePermission('read')
      list(@ListQuery(list) query: ListQuery): unknown {
        return query;
      }
    }
    @Module({ controllers: [ColoredProductsController] })
    class ColoredProductsModule {}
    await expect(startInProcess({}, undefined, [ColoredProductsModule])).rejects.toThrow(
      'list colored-products, filter color: Product has no field color',
    );
  });
});
