import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiVersions, PickOf, PlinthModule, Resource } from '@plinth/core';
import { PlinthFactory } from '@plinth/core/start';

import '../../src/config/access.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import { DOCS } from '../../src/docs/docs.js';
import { MIGRATIONS } from '../../src/migrations/migrations.js';
import { Product } from '../../src/products/product.entity.js';
import { PRODUCTS } from '../../src/products/product.resource.js';
import { ProductsModule } from '../../src/products/products.module.js';
import { ProductsRepository } from '../../src/products/products.repository.js';
import { ProductsService } from '../../src/products/products.service.js';
import { ProductsV2Controller } from '../../src/products/products.v2.controller.js';
import { User } from '../../src/users/user.entity.js';
import { UsersModule } from '../../src/users/users.module.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { linksOf } from '../support/lists.js';
import { SECRET } from '../support/settings.js';

class ProductV3Dto extends PickOf(Product, ['id', 'name', 'reviewCount']) {}

/** Version 3 shows less of a product. It takes all routes from version 2. */
@Resource({ ...PRODUCTS, version: '3', responseDto: ProductV3Dto })
class ProductsV3Controller extends ProductsV2Controller {}

const base = (versions?: ApiVersions) =>
  PlinthModule.forRoot({ migrations: MIGRATIONS, docs: DOCS, ...(versions && { versions }) });

@Module({ imports: [ProductsModule], controllers: [ProductsV3Controller] })
class ProductsV3Module {}

@Module({
  imports: [
    base({
      1: { successor: 3 },
      2: { successor: 3, showsEntityTags: true },
      3: { showsEntityTags: true },
    }),
    UsersModule,
    AuthModule,
    ProductsModule,
    ProductsV3Module,
  ],
})
class ThreeVersionsModule {}

/** Version 1 has no controllers any more. */
@Module({
  imports: [
    base({ 1: { successor: 2 }, 2: { showsEntityTags: true } }),
    TypeOrmModule.forFeature([User, Product]),
  ],
  controllers: [ProductsV2Controller],
  providers: [ProductsService, ProductsRepository],
})
class RetiredModule {}

/** Declares no versions, and has no controllers besides those of the base. */
@Module({ imports: [base(), TypeOrmModule.forFeature([User])] })
class BaseModule {}

@Module({
  imports: [base({ 1: {}, 2: {} }), UsersModule, AuthModule, ProductsModule, ProductsV3Module],
})
class UndeclaredModule {}

@Module({ imports: [base(), UsersModule, AuthModule, ProductsModule] })
class UndeclaredV2Module {}

@Module({ imports: [base({ 1: { successor: 2 } }), TypeOrmModule.forFeature([User])] })
class UndeclaredSuccessorModule {}

const ENV = {
  JWT_SECRET: SECRET,
  LOG_LEVEL: 'silent',
  MAIL: 'off',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: SECRET,
  ANONYMOUS_ROLE: 'viewer',
};

describe('an application', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  const start = (module: typeof RetiredModule, env: Readonly<Record<string, string>> = {}) =>
    PlinthFactory.create(module, { env: { ...ENV, DATABASE_URL: database.url, ...env } });

  it('serves a third version whose controller extends that of the second', async () => {
    const app = await start(ThreeVersionsModule);
    const login = await app.inject({
      method: 'POST',
      url: '/api/v3/login',
      payload: { email: ENV.ADMIN_EMAIL, password: ENV.ADMIN_PASSWORD },
    });
    // The controller of the application's logins names versions 1 and 2.
    expect(login.statusCode).toBe(404);
    const { accessToken } = (
      await app.inject({
        method: 'POST',
        url: '/api/v2/login',
        payload: { email: ENV.ADMIN_EMAIL, password: ENV.ADMIN_PASSWORD },
      })
    ).json<{ accessToken: string }>();
    const headers = { authorization: `Bearer ${accessToken}` };
    const payload = { name: 'Lamp', price: 20, category: 'lamps', description: 'Of oak.' };
    const created = await app.inject({ method: 'POST', url: '/api/v3/products', headers, payload });
    const { id, etag } = created.json<{ id: number; etag: string }>();
    expect(created.json()).toEqual({ id, name: 'Lamp', reviewCount: 0, etag });
    expect([created.statusCode, created.headers.etag]).toEqual([201, etag]);

    const read = (version: number) => app.inject(`/api/v${version}/products/${id}`);
    const [v1, v2, v3] = [await read(1), await read(2), await read(3)];
    expect(v1.json()).not.toHaveProperty('etag');
    expect(v2.json()).toMatchObject({ description: 'Of oak.', currency: 'USD', etag: v2.headers.etag });
    expect(v3.json()).toEqual(created.json());
    expect(new Set([v1, v2, v3].map((answer) => answer.headers.etag)).size).toBe(3);

    // The base serves access grants in every version.
    expect((await app.inject({ url: '/api/v3/access-grants', headers })).statusCode).toBe(200);
    const { paths } = (await app.inject('/docs/openapi.json')).json<{
      paths: Record<string, Record<string, { operationId: string; tags: string[] }>>;
    }>();
    expect(paths['/api/v3/products/{id}']?.['delete']).toMatchObject({
      operationId: 'deleteProductV3',
      tags: ['Products'],
    });
    await app.close();
  });

  it('links each deprecated version to its successor', async () => {
    const app = await start(ThreeVersionsModule, {
      API_V1_DEPRECATED_AT: '2026-01-01',
      API_V2_DEPRECATED_AT: '2026-06-01',
      API_V2_SUNSET_AT: '2126-01-01',
    });
    const announced = async (version: number) => {
      const { headers } = await app.inject(`/api/v${version}/products`);
      const links = linksOf(new Headers({ link: String(headers.link) }));
      return [headers['deprecation'], headers['sunset'], links['successor-version']];
    };
    expect(await announced(1)).toEqual(['@1767225600', undefined, '/api/v3/products']);
    expect(await announced(2)).toEqual(['@1780272000', 'Tue, 01 Jan 2126 00:00:00 GMT', '/api/v3/products']);
    expect(await announced(3)).toEqual([undefined, undefined, undefined]);
    await app.close();
  });

  it('retires version 1 by leaving out its controllers', async () => {
    const app = await start(RetiredModule, {
      API_V1_DEPRECATED_AT: '2025-01-01',
      API_V1_SUNSET_AT: '2025-12-31',
    });
    const retired = await app.inject('/api/v1/products');
    expect(retired.statusCode).toBe(410);
    expect(retired.headers.link).toBe('</api/v2/products>; rel="successor-version"');
    const [row] = (await app.inject('/api/products')).json<{ data: object[] }>().data;
    expect(row).toHaveProperty('currency', 'USD');
    await app.close();
  });

  it('serves version 1 of the base if nothing declares or names a version', async () => {
    const app = await start(BaseModule);
    expect((await app.inject('/api/v1/access-grants')).statusCode).toBe(401);
    expect((await app.inject('/api/access-grants')).statusCode).toBe(401);
    expect((await app.inject('/api/v2/access-grants')).statusCode).toBe(404);
    await app.close();
  });

  it.each<[string, typeof RetiredModule, Readonly<Record<string, string>>]>([
    ['ProductsV3Controller.create: the version must be one of 1, 2 (got 3)', UndeclaredModule, {}],
    ['UsersController.list: the version must be one of 1 (got 2)', UndeclaredV2Module, {}],
    ['the successor of version 1: the version must be one of 1 (got 2)', UndeclaredSuccessorModule, {}],
    [
      'API_V4_DEPRECATED_AT: the version must be one of 1, 2 (got 4)',
      RetiredModule,
      { API_V4_DEPRECATED_AT: '2026-01-01' },
    ],
  ])('does not start if a version is not declared: %s', async (fault, module, env) => {
    await expect(start(module, env)).rejects.toThrow(fault);
  });
});
