import {
  Body,
  CallHandler,
  ClassSerializerInterceptor,
  Delete,
  ExecutionContext,
  Get,
  Injectable,
  Module,
  NestInterceptor,
  Param,
  Post,
  RequestTimeoutException,
  Scope,
  UseInterceptors,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import {
  Caller,
  CurrentUser,
  ListQuery,
  Page,
  ParseIdPipe,
  Preconditions,
  Resource,
  Transaction,
} from '@plinth/core';
import { catchError, map, Observable, tap, throwError, timeout, TimeoutError } from 'rxjs';

import { CreateProductDto, ProductDto } from '../../src/products/product.dto.js';
import { Product } from '../../src/products/product.entity.js';
import { productList, PRODUCTS } from '../../src/products/product.resource.js';
import { ProductsModule } from '../../src/products/products.module.js';
import { ProductsService } from '../../src/products/products.service.js';
import { useInProcess } from '../support/own-app.js';

/** The interceptor that NestJS documents under "Response mapping". */
@Injectable()
class TransformInterceptor<T> implements NestInterceptor<T, { data: T }> {
  intercept(_context: ExecutionContext, next: CallHandler<T>): Observable<{ data: T }> {
    return next.handle().pipe(map((data) => ({ data })));
  }
}

/** The interceptor that NestJS documents under "More operators". */
@Injectable()
class TimeoutInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      timeout(5000),
      catchError((error: unknown) =>
        throwError(() => (error instanceof TimeoutError ? new RequestTimeoutException() : error)),
      ),
    );
  }
}

/** A request-scoped interceptor whose audit trail is broken. */
@Injectable({ scope: Scope.REQUEST })
class AuditInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      tap(() => {
        throw new Error('the audit trail is full');
      }),
    );
  }
}

@Resource({ ...PRODUCTS, path: 'wares', collection: 'products', version: '1', responseDto: ProductDto })
@UseInterceptors(TransformInterceptor, TimeoutInterceptor)
class WaresController {
  constructor(private readonly products: ProductsService) {}

  @Get()
  list(@ListQuery(productList) query: ListQuery): Promise<Page<Product>> {
    return this.products.list(query);
  }

  @Get(':id')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Product> {
    return this.products.get(id, caller);
  }

  @Post()
  create(@Body() body: CreateProductDto, @Transaction() tx: Transaction): Promise<Product> {
    return this.products.create(body, tx);
  }
}

@Resource({ ...PRODUCTS, path: 'stock', collection: 'products', version: '1', responseDto: ProductDto })
class StockController {
  constructor(private readonly products: ProductsService) {}

  @Get(':id')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Product> {
    return this.products.get(id, caller);
  }

  @Post()
  @UseInterceptors(AuditInterceptor)
  create(@Body() body: CreateProductDto, @Transaction() tx: Transaction): Promise<Product> {
    return this.products.create(body, tx);
  }

  @Delete(':id')
  @UseInterceptors(AuditInterceptor)
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.products.remove(id, caller, preconditions);
  }
}

@Module({ imports: [ProductsModule], controllers: [WaresController, StockController] })
class WaresModule {}

@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor }] })
class SerializerModule {}

interface Sent {
  readonly status: number;
  readonly body: { readonly id: number; readonly data: { readonly name: string } };
  readonly text: string;
  readonly headers: Headers;
}

describe.each([
  ['alone', [WaresModule]],
  ['together with the ClassSerializerInterceptor of NestJS', [WaresModule, SerializerModule]],
])('interceptors of a class and of a method, %s', (_title, modules) => {
  const app = useInProcess({}, undefined, modules);
  const values = { name: 'Lamp', price: 1.5, category: 'wares' };
  let authorization: string;

  beforeAll(async () => {
    const { email, password } = await app.user('admin');
    authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
  });

  async function send(method: string, path: string, body?: object, more = {}): Promise<Sent> {
    const type = body && { 'content-type': 'application/json' };
    const headers = { authorization, ...type, ...more };
    const response = await fetch(app.baseUrl + path, { method, body: body && JSON.stringify(body), headers });
    const text = await response.text();
    const isJson = text.startsWith('{');
    return {
      status: response.status,
      text,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : {}) as Sent['body'],
    };
  }

  it('send what the outermost interceptor of the class returns', async () => {
    const key = { 'idempotency-key': 'wares-1' };
    for (let i = 0; i < 2; i++) {
      const created = await send('POST', '/api/v1/wares', values, key);
      expect([created.status, Object.keys(created.body)]).toEqual([201, ['data']]);
      expect(created.body.data).toMatchObject(values);
      const path = created.headers.get('location')!;
      const row = await send('GET', path);
      expect(row.text).toBe(created.text);
      expect(row.headers.get('etag')).toBe(created.headers.get('etag'));
      expect(await send('GET', path, undefined, { 'if-none-match': row.headers.get('etag')! })).toMatchObject(
        {
          status: 304,
          text: '',
        },
      );
    }
    expect(await send('GET', '/api/v1/wares')).toMatchObject({
      status: 200,
      body: { data: { data: [values], pagination: { total: 1 } } },
    });
  });

  it('do not turn a successful write into a 500 if one of them throws', async () => {
    const created = await send('POST', '/api/v1/stock', values);
    expect(created).toMatchObject({ status: 201, body: values });
    const path = created.headers.get('location')!;
    expect(path).toBe(`/api/v1/stock/${created.body.id}`);
    expect(await send('GET', path)).toMatchObject({ status: 200, body: values });
    expect(await send('DELETE', path)).toMatchObject({ status: 204, text: '' });
    expect((await send('GET', path)).status).toBe(404);
    expect(JSON.stringify(app.log)).toContain('the audit trail is full');
  });

  it('do not change an export', async () => {
    const { status, text } = await send('GET', '/api/v1/wares', undefined, { accept: 'text/csv' });
    expect([status, text.split('\r\n')[0]]).toEqual([200, expect.stringMatching(/^id,name,/)]);
    expect(text.split('\r\n')).toHaveLength(3);
  });
});
