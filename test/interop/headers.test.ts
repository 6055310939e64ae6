import { Controller, Get, Header, Module, Param } from '@nestjs/common';
import { ApiConflictResponse, ApiNotFoundResponse, ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import {
  ApiError,
  ApiErrorResponse,
  Caller,
  CurrentUser,
  defineErrors,
  ParseIdPipe,
  Resource,
} from '@plinth/core';
import { errorOf } from '@plinth/dev/testing';

import { ProductDto } from '../../src/products/product.dto.js';
import { Product } from '../../src/products/product.entity.js';
import { PRODUCTS } from '../../src/products/product.resource.js';
import { ProductsModule } from '../../src/products/products.module.js';
import { ProductsService } from '../../src/products/products.service.js';
import { useInProcess } from '../support/own-app.js';
import { createProduct } from '../support/products.js';

const { NO_SUCH_ROWS, SHELF_MOVED } = defineErrors({
  NO_SUCH_ROWS: [416, 'The shelf has none of these rows.'],
  SHELF_MOVED: [409, 'The shelf was moved.'],
});

const headers = (name: string) => ({ headers: { [name]: { schema: { type: 'string' as const } } } });

@Controller({ path: 'shelves', version: '1' })
class ShelvesController {
  @Get('rows')
  @ApiErrorResponse(NO_SUCH_ROWS)
  @ApiResponse({ status: 416, headers: { 'Content-Range': { schema: { type: 'string' } } } })
  rows(): never {
    throw new ApiError(NO_SUCH_ROWS, undefined, { headers: { 'content-range': 'rows */20' } });
  }

  @Get('moved')
  @ApiErrorResponse(SHELF_MOVED)
  @ApiConflictResponse({ ...headers('X-Moved'), description: 'See `X-Moved`.' })
  moved(): never {
    throw new ApiError(SHELF_MOVED, undefined, { headers: { 'x-moved': 'A4' } });
  }

  @Get('undocumented')
  @ApiErrorResponse(NO_SUCH_ROWS)
  undocumented(): never {
    throw new ApiError(NO_SUCH_ROWS, undefined, { headers: { 'content-range': 'rows */20' } });
  }
}

@Resource({ ...PRODUCTS, path: 'wares', collection: 'products', version: '1', responseDto: ProductDto })
class WaresController {
  constructor(private readonly products: ProductsService) {}

  @Get(':id')
  @Header('X-Shelf', 'A3')
  @ApiOkResponse(headers('X-Shelf'))
  @ApiResponse({ status: 304, ...headers('X-Shelf') })
  @ApiNotFoundResponse(headers('X-Shelf'))
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Product> {
    return this.products.get(id, caller);
  }
}

@Module({ imports: [ProductsModule], controllers: [ShelvesController, WaresController] })
class ShelvesModule {}

interface Documented {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
}

describe('headers that @ApiResponse() declares', () => {
  const app = useInProcess({ DOCS: 'true' }, undefined, [ShelvesModule]);
  const responses = async (path: string): Promise<Readonly<Record<string, Documented>>> => {
    const { body } = await app.anonymous.get('/docs/openapi.json');
    const { paths } = body as {
      paths: Record<string, { get: { responses: Record<string, Documented> } }>;
    };
    return paths[`/api/v1/${path}`]!.get.responses;
  };

  it('are those of the errors of @ApiErrorResponse() with the same status', async () => {
    const viewer = await app.as('viewer');
    const rows = await viewer.get('/api/v1/shelves/rows');
    expect([errorOf(rows), rows.headers.get('content-range')]).toEqual(['416 NO_SUCH_ROWS', 'rows */20']);
    const moved = await viewer.get('/api/v1/shelves/moved');
    expect([errorOf(moved), moved.headers.get('x-moved')]).toEqual(['409 SHELF_MOVED', 'A4']);
    expect((await responses('shelves/rows'))['416']).toMatchObject({
      description: '- `NO_SUCH_ROWS`: The shelf has none of these rows.',
      ...headers('Content-Range'),
    });
    expect((await responses('shelves/moved'))['409']).toMatchObject({
      description: 'See `X-Moved`.\n\n- `SHELF_MOVED`: The shelf was moved.',
      ...headers('X-Moved'),
    });
    await expect(viewer.get('/api/v1/shelves/undocumented')).rejects.toThrow(
      'the header content-range is not documented',
    );
  });

  it('are added to those of a resource', async () => {
    const viewer = await app.as('viewer');
    const { product } = await createProduct(await app.as('admin'));
    const row = await viewer.get(`/api/v1/wares/${product.id}`);
    expect([row.status, row.headers.get('x-shelf')]).toEqual([200, 'A3']);
    const documented = await responses('wares/{id}');
    const names = Object.fromEntries(
      ['200', '304', '404'].map((status) => [status, Object.keys(documented[status]!.headers!)]),
    );
    expect(names).toEqual({
      200: ['X-Shelf', 'ETag', 'Last-Modified'],
      304: ['X-Shelf', 'ETag', 'Last-Modified'],
      404: ['X-Shelf'],
    });
    expect(documented['404']!.description).toBe('- `PRODUCT_NOT_FOUND`: There is no such product.');
  });
});
