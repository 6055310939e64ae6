import { Controller, Get, Module, Param, UseInterceptors } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import {
  Caller,
  CurrentUser,
  ListQuery,
  Page,
  PageInterceptor,
  ParseIdPipe,
  RowInterceptor,
} from '@plinth/core';

import { Product } from '../../src/products/product.entity.js';
import { productList } from '../../src/products/product.resource.js';
import { ProductsModule } from '../../src/products/products.module.js';
import { ProductsService } from '../../src/products/products.service.js';
import { useInProcess } from '../support/own-app.js';
import { createProduct } from '../support/products.js';

const headers = Object.fromEntries(
  ['ETag', 'Last-Modified', 'Link'].map((name) => [name, { schema: { type: 'string' as const } }]),
);

@Controller({ path: 'wares', version: '1' })
class WaresController {
  constructor(private readonly products: ProductsService) {}

  @ApiResponse({ status: 200, headers })
  @ApiResponse({ status: 304, headers })
  @Get()
  @UseInterceptors(PageInterceptor)
  list(@ListQuery(productList) query: ListQuery): Promise<Page<Product>> {
    return this.products.list(query);
  }

  @ApiResponse({ status: 200, headers })
  @ApiResponse({ status: 304, headers })
  @Get(':id')
  @UseInterceptors(RowInterceptor)
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Product> {
    return this.products.get(id, caller);
  }
}

@Module({ imports: [ProductsModule], controllers: [WaresController] })
class WaresModule {}

describe('the interceptors of the base, on the controller of a team', () => {
  const app = useInProcess({}, undefined, [WaresModule]);

  it('add the envelope of a page and the validators of a row', async () => {
    const viewer = await app.as('viewer');
    const { product } = await createProduct(await app.as('admin'));
    const page = await viewer.get(`/api/v1/wares?id=${product.id}`);
    expect(page.body).toMatchObject({ data: [{ id: product.id }], pagination: { total: 1 } });
    expect([...page.headers.keys()]).toEqual(expect.arrayContaining(['etag', 'link']));
    const row = await viewer.get(`/api/v1/wares/${product.id}`);
    expect(row.body).toMatchObject({ name: product.name });
    for (const { headers: sent, path } of [
      { ...page, path: `?id=${product.id}` },
      { ...row, path: `/${product.id}` },
    ]) {
      const again = await viewer.get(`/api/v1/wares${path}`, { 'if-none-match': sent.get('etag')! });
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });
});
