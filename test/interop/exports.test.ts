import { Agent, get, IncomingMessage } from 'node:http';

import { text } from 'node:stream/consumers';

import { Get, Module } from '@nestjs/common';
import { ListQuery, mapRows, type Page, RequirePermission, Resource } from '@plinth/core';
import { eventually } from '@plinth/dev/testing';

import { ProductDto } from '../../src/products/product.dto.js';
import { Product } from '../../src/products/product.entity.js';
import { productList, PRODUCTS } from '../../src/products/product.resource.js';
import { ProductsModule } from '../../src/products/products.module.js';
import { ProductsService } from '../../src/products/products.service.js';
import { useInProcess } from '../support/own-app.js';
import { PicturesModule } from './uploads.module.js';

const COUNT = 250;

/** How often the handlers ran. */
let calls = 0;

@Resource({ ...PRODUCTS, path: 'wares', version: '1', responseDto: ProductDto })
@RequirePermission('read')
class WaresController {
  constructor(private readonly products: ProductsService) {}

  @Get()
  async list(@ListQuery(productList) query: ListQuery): Promise<Page<Product>> {
    calls++;
    return mapRows(await this.products.list(query), (row) => ({ ...row, name: row.name.toUpperCase() }));
  }

  @Get('iterable')
  async *iterable(@ListQuery(productList) _query: ListQuery): AsyncGenerator<Partial<Product>> {
    calls++;
    for (let id = 1; id <= COUNT; id++) yield await Promise.resolve({ id, name: `Ware ${id}` });
  }

  @Get('broken')
  async *broken(@ListQuery(productList) _query: ListQuery): AsyncGenerator<Partial<Product>> {
    yield await Promise.reject(new Error('the first row is not found'));
  }

  @Get('other')
  other(@ListQuery(productList) query: ListQuery): Page<Partial<Product>> {
    return { query, rows: [{ id: 1 }] };
  }
}

@Module({ imports: [ProductsModule], controllers: [WaresController] })
class WaresModule {}

describe('a CSV export with @fastify/multipart installed', () => {
  const app = useInProcess({}, undefined, [PicturesModule, WaresModule]);
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  let headers: Record<string, string>;

  beforeAll(async () => {
    const { email, password } = await app.user('viewer');
    const credentials = Buffer.from(`${email}:${password}`).toString('base64');
    headers = { authorization: `Basic ${credentials}`, accept: 'text/csv' };
    await app.query(
      `insert into products (name, price, category) select 'Lamp ' || i, i, 'csv' from generate_series(1, $1) i`,
      [COUNT],
    );
    process.on('warning', note);
  });
  afterAll(() => process.off('warning', note));

  it.each(['GET', 'HEAD'] as const)(
    'can be requested by %s with app.inject(), which has no socket',
    async (method) => {
      const server = app.app.nest.getHttpAdapter().getInstance();
      const response = await server.inject({ method, url: '/api/v1/products', headers });
      expect([response.statusCode, response.headers['content-type']]).toEqual([
        200,
        'text/csv; charset=utf-8; header=present',
      ]);
      expect(response.body.split('\r\n').length).toBe(method === 'GET' ? COUNT + 2 : 1);
    },
  );

  it('is logged as an error with the id of its request if the database aborts it', async () => {
    await app.query(
      `insert into products (name, price, category, description)
       select 'Large ' || i, i, 'large', repeat('x', 5000) from generate_series(1, 4000) i`,
    );
    const sent = { ...headers, 'x-request-id': 'aborted-export' };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const url = `${app.baseUrl}/api/v2/products?category=large`;
      get(url, { agent: false, headers: sent }, resolve).on('error', reject);
    });
    const held = (): Promise<unknown[]> =>
      app.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state like 'idle in tr%'`,
      );
    await eventually(async () => (await held()).length, 1, 10_000);
    await expect(text(response)).rejects.toThrow('aborted');
    const lines = (): Record<string, unknown>[] =>
      app.log.filter(({ requestId }) => requestId === 'aborted-export');
    await eventually(() => Promise.resolve(lines().length), 2, 10_000);
    expect(lines()).toEqual([
      expect.objectContaining({ level: 50, route: '/api/v2/products', error: expect.any(Object) }),
      expect.objectContaining({ level: 30, route: '/api/v2/products', status: 502 }),
    ]);
    await app.query(`delete from products where category = 'large'`);
  });

  const exported = async (path: string): Promise<[number, string[]]> => {
    const response = await fetch(`${app.baseUrl}/api/v1/${path}`, { headers });
    return [response.status, (await response.text()).split('\r\n').slice(0, -1)];
  };

  it('runs the handler of its route once, however many rows it has', async () => {
    calls = 0;
    const [status, lines] = await exported('wares?category=csv&sort=price:asc');
    expect([status, lines.length, calls]).toEqual([200, COUNT + 1, 1]);
    expect(lines[COUNT]).toContain(`LAMP ${COUNT},`);
  });

  it('sends the rows of any iterable that a handler returns', async () => {
    calls = 0;
    const [status, lines] = await exported('wares/iterable');
    expect([status, lines.length, calls]).toEqual([200, COUNT + 1, 1]);
    expect(lines[COUNT]).toMatch(/^250,Ware 250,/);
  });

  it.each(['broken', 'other'])('is an error if no row can be sent: %s', async (path) => {
    expect((await exported(`wares/${path}`))[0]).toBe(500);
  });

  it('causes no warning about a leak of listeners on a connection that is used often', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 12; i++) {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${app.baseUrl}/api/v1/products`, { agent, headers }, resolve).on('error', reject);
      });
      expect((await text(response)).split('\r\n')).toHaveLength(COUNT + 2);
    }
    agent.destroy();
    expect(warnings.map(({ name, message }) => `${name}: ${message}`)).toEqual([]);
  });
});
