import { Get, Injectable, Module, NestInterceptor, UseInterceptors } from '@nestjs/common';
import { FastifyReply } from 'fastify';
import { map } from 'rxjs';

import { Database } from '../../src/database/database.js';
import { CursorCodec } from '../../src/lists/cursor.js';
import { defineList } from '../../src/lists/list-definition.js';
import { ListQuery } from '../../src/lists/list-parameters.decorator.js';
import { PickOf } from '../../src/fields/derive.js';
import { ProductDto } from '../../src/products/product.dto.js';
import { Product } from '../../src/products/product.entity.js';
import { PRODUCT_NOT_FOUND } from '../../src/products/product.errors.js';
import { PathId } from '../../src/resources/path-id.decorator.js';
import { Resource, ResourceDefinition } from '../../src/resources/resource.js';
import { ServiceOf } from '../../src/resources/service-of.js';
import { Client } from '../support/client.js';
import { recordReads } from '../support/kept-rows.js';
import { listingIn, listPath } from '../support/lists.js';
import { describeWithOwnService } from '../support/needs.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { createProduct, errorOf, Product as Shown, productIn } from '../support/products.js';

const SHOUTED: ResourceDefinition<Product> = {
  path: 'shouted-products',
  entity: Product,
  notFound: PRODUCT_NOT_FOUND,
  list: defineList(Product, { name: 'shouted-products' }),
};

@Injectable()
class ShoutedProductsService extends ServiceOf(SHOUTED) {}

/** Shows names in capitals: of a page by new rows, as it is right, of a row by a change to it. */
@Resource({ ...SHOUTED, version: '2', of: ProductDto })
class ShoutedProductsController {
  constructor(private readonly products: ShoutedProductsService) {}

  @Get()
  async list(@ListQuery() query: ListQuery) {
    const page = await this.products.list(query);
    return { ...page, rows: page.rows.map((row) => ({ ...row, name: row.name.toUpperCase() })) };
  }

  @Get(':id')
  async get(@PathId() id: number) {
    const row = await this.products.get(id);
    row.name = row.name.toUpperCase();
    return row;
  }
}

@Resource({ ...SHOUTED, path: 'scrawled-products', version: '2', of: ProductDto })
class ScrawledProductsController {
  constructor(private readonly products: ShoutedProductsService) {}

  @Get()
  async list(@ListQuery() query: ListQuery) {
    const page = await this.products.list(query);
    for (const row of page.rows) row.name = '~';
    return page;
  }
}

type Body = ReturnType<typeof listingIn>;

/** What an interceptor may try with the body of a page, by the header of the request. */
const TRIES: Readonly<Record<string, (body: Body) => unknown>> = {
  turn: ({ data }) => (data as Shown[]).reverse(),
  add: ({ data }) => (data as Shown[]).push(data[0]!),
  count: ({ pagination }) => Object.assign(pagination, { total: -1 }),
};

const TRYING: NestInterceptor = {
  intercept: (context, next) =>
    next.handle().pipe(
      map((body: Body) => {
        const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
        TRIES[headers['x-try'] ?? '']?.(body);
        return body;
      }),
    ),
};

@UseInterceptors(TRYING)
@Resource({ ...SHOUTED, path: 'tried-products', version: '2', of: ProductDto })
class TriedProductsController {
  constructor(private readonly products: ShoutedProductsService) {}

  @Get()
  list(@ListQuery() query: ListQuery) {
    return this.products.list(query);
  }
}

class HiddenProductDto extends PickOf(ProductDto, ['id', 'category']) {}
const [HIDDEN, HIDDEN_LATE] = [{ 'x-hidden': 'before' }, { 'x-hidden': 'after' }];

/** Hides categories from the callers who say so, by a serializer of the reply, before or after the handler. */
const HIDING: NestInterceptor = {
  intercept: (context, next) => {
    const http = context.switchToHttp();
    const { headers } = http.getRequest<{ headers: Record<string, string> }>();
    const hidden = ({ id }: HiddenProductDto): HiddenProductDto => ({ id, category: '***' });
    const serializer = (body: Body | Shown): string =>
      JSON.stringify('data' in body ? { ...body, data: body.data.map(hidden) } : hidden(body));
    const hide = (body: unknown): unknown => {
      void http.getResponse<FastifyReply>().serializer(serializer);
      return body;
    };
    if (headers['x-hidden'] === 'before') hide(undefined);
    return headers['x-hidden'] === 'after' ? next.handle().pipe(map(hide)) : next.handle();
  },
};

@UseInterceptors(HIDING)
@Resource({ ...SHOUTED, path: 'hidden-products', version: '2', of: HiddenProductDto })
class HiddenProductsController {
  constructor(private readonly products: ShoutedProductsService) {}

  @Get()
  list(@ListQuery() query: ListQuery) {
    return this.products.list(query);
  }

  @Get(':id')
  get(@PathId() id: number) {
    return this.products.get(id);
  }
}

const CONTROLLERS = [
  ShoutedProductsController,
  ScrawledProductsController,
  TriedProductsController,
  HiddenProductsController,
];

@Module({
  controllers: CONTROLLERS,
  providers: [ShoutedProductsService],
})
class ShoutedProductsModule {}

/** SQL that renames the product `$`, by hand. */
const RENAMES: Readonly<Record<string, string>> = {
  'by SQL by hand': `update products set name = 'Changed' where id = $`,
  'by SQL with triggers off': `do 'begin set local session_replication_role = replica;
    update products set name = ''Changed'' where id = $; end'`,
};

describeWithOwnService.each([
  ['16', true],
  ['0', false],
])('a service with DATABASE_ROW_CACHE_MB=%s', (DATABASE_ROW_CACHE_MB, isKeeping) => {
  let app: OwnApp;
  let admin: Client;
  let reads: ReturnType<typeof recordReads>;

  beforeAll(async () => {
    app = await startInProcess({ DATABASE_ROW_CACHE_MB }, undefined, [ShoutedProductsModule]);
    reads = recordReads(app.app.nest.get(Database));
    admin = await app.as('admin');
  });
  afterAll(() => app.stop());

  /** The paths of lists of some products of a category of their own, which have been shown many times. */
  async function shown(): Promise<{ lists: string[]; products: Shown[] }> {
    const category = `of ${Math.random()}`;
    const products: Shown[] = [];
    for (let i = 0; i < 21; i++)
      products.push((await createProduct(admin, { category, name: `p${i}` })).product);
    const lists = ['v1', 'v2'].flatMap((version) => [
      listPath({ category }, `/api/${version}/products`),
      listPath({ category, sort: 'name:asc', cursor: '' }, `/api/${version}/products`),
      listPath({ category, limit: 5, page: 2 }, `/api/${version}/products`),
    ]);
    for (const list of lists) await readKept(list);
    return { lists, products };
  }

  /**
   * Reads a path until it is answered by rows that are kept: a sample is kept at first. Without a cache, some times.
   */
  async function readKept(path: string): Promise<void> {
    for (let i = 0; i < (isKeeping ? 1_000 : 6); i++) {
      reads.length = 0;
      await admin.get(path);
      if (reads.length === 1 && reads[0] === 'states') return;
    }
    if (isKeeping) throw new Error(`${path} is never answered by rows that are kept`);
  }

  it('answers with the same bytes and entity tag whether a page is read whole or put together of kept rows', async () => {
    const category = `of ${Math.random()}`;
    for (let i = 0; i < 21; i++) await createProduct(admin, { category, name: `p${i}` });
    const paths = [{ category }, { category, sort: 'name:asc', cursor: '' }, { category, limit: 5 }].map(
      (page) => listPath(page, '/api/v1/products'),
    );
    const answer = async (path: string): Promise<[string, string | null]> => {
      const response = await admin.get(path);
      return [response.text, response.headers.get('etag')];
    };
    reads.length = 0;
    const whole = new Map<string, [string, string | null]>();
    for (const path of paths) whole.set(path, await answer(path));
    expect(reads).toEqual(['rows', 'rows', 'rows']);
    for (const path of paths) {
      await readKept(path);
      expect(await answer(path)).toEqual(whole.get(path));
    }
  });

  it('reads states of rows where they are kept, else rows', async () => {
    const { lists, products } = await shown();
    const paths = [...lists, `/api/v1/products/${products[3]!.id}`];
    for (const path of paths) await readKept(path);
    reads.length = 0;
    for (const path of paths) expect((await admin.get(path)).status).toBe(200);
    expect(reads).toEqual(paths.map(() => (isKeeping ? 'states' : 'rows')));
  });

  it('signs the cursors of pages anew where secrets were replaced', async () => {
    const { lists } = await shown();
    const path = `${lists[1]!}&limit=5`;
    await readKept(path);
    const server = app.app.nest.getHttpAdapter().getInstance();
    const { cursors } = server;
    server.cursors = new CursorCodec(['another-secret-of-32-bytes-or-more']);
    const { nextCursor } = listingIn(await admin.get(path)).pagination;
    const next = await admin.get(path.replace('cursor=', `cursor=${nextCursor!}`));
    server.cursors = cursors;
    expect(next.status).toBe(200);
    expect(listingIn(await admin.get(path)).pagination.nextCursor).not.toBe(nextCursor);
  });

  it.each(Object.entries(RENAMES))('shows a product that is changed %s', async (_, text) => {
    const { lists } = await shown();
    for (const [i, list] of lists.entries()) {
      const before = await admin.get(list);
      const { id } = listingIn(before).data[0]!;
      const paths = ['v1', 'v2'].map((version) => `/api/${version}/products/${id}`);
      for (const path of paths) await admin.get(path);
      const name = `Changed ${i}`;
      await app.query(text.replaceAll('$', String(id)).replace('Changed', name));
      for (const path of paths) expect(productIn(await admin.get(path)).name).toBe(name);
      const after = await admin.get(list, { 'if-none-match': before.headers.get('etag')! });
      expect(listingIn(after).data.find((product) => product.id === id)).toMatchObject({ name });
      expect((await admin.get(list, { 'if-none-match': after.headers.get('etag')! })).status).toBe(304);
    }
  });

  it('keeps to the rows that it read: what a handler changes of them is a fault, and shown to nobody', async () => {
    const { products } = await shown();
    const [{ id, name }] = products as [Shown];
    const faults = (): unknown[] =>
      app.log.flatMap(({ level, error }) => (level === 50 && error ? [(error as Error).name] : []));
    const before = faults().length;
    for (const path of [`/api/v2/shouted-products/${id}`, '/api/v2/scrawled-products']) {
      expect(errorOf(await admin.get(path))).toBe('500 INTERNAL_ERROR');
    }
    expect(faults().slice(before)).toEqual(['TypeError', 'TypeError']);
    expect(productIn(await admin.get(`/api/v1/products/${id}`)).name).toBe(name);
  });

  it.each(Object.keys(TRIES))('lets no interceptor change a page that others are shown: %s', async (name) => {
    await shown();
    const path = '/api/v2/tried-products?limit=5';
    await readKept(path);
    const { text } = await admin.get(path);
    expect(errorOf(await admin.get(path, { 'x-try': name }))).toBe('500 INTERNAL_ERROR');
    expect((await admin.get(path)).text).toBe(text);
  });

  it('shows nobody what the serializer of another reply made of a row or a page, or did not', async () => {
    const { products } = await shown();
    const { id, category } = products.at(-1)!;
    for (const path of [`/api/v2/hidden-products/${id}`, '/api/v2/hidden-products?limit=1']) {
      const answers = async (): Promise<(string | undefined)[]> => {
        const categories = [];
        for (const headers of [HIDDEN, {}, HIDDEN_LATE, {}, HIDDEN])
          categories.push(/"category":"(.*?)"/.exec((await admin.get(path, headers)).text)?.[1]);
        return categories;
      };
      expect(await answers()).toEqual(['***', category, '***', category, '***']);
      await readKept(path);
      expect(await answers()).toEqual(['***', category, '***', category, '***']);
    }
  });

  it('shows what a handler makes of rows, and what becomes of it when they change', async () => {
    const { products } = await shown();
    const { id } = products.at(-1)!;
    const names = async (): Promise<string[]> =>
      listingIn(await admin.get('/api/v2/shouted-products')).data.map(({ name }) => name);
    await readKept('/api/v2/shouted-products');
    expect((await names())[0]).toBe('P20');
    await app.query(`update products set name = 'quiet' where id = $1`, [id]);
    expect((await names())[0]).toBe('QUIET');
  });
});
