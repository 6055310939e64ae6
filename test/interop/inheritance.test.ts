import { Controller, Get, Module, Post } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Public } from '../../src/access/require-permission.decorator.js';
import { PickOf } from '../../src/fields/derive.js';
import { Resource } from '../../src/resources/resource.js';
import { CreateSuppliers1795300000000 } from '../examples/suppliers/1795300000000-create-suppliers.js';
import { Supplier } from '../examples/suppliers/supplier.entity.js';
import { SUPPLIERS } from '../examples/suppliers/supplier.resource.js';
import { SuppliersController } from '../examples/suppliers/suppliers.controller.js';
import { SuppliersService } from '../examples/suppliers/suppliers.service.js';
import { MigrationsModule } from '../../src/database/migrations.module.js';
import { OwnApp, startInProcess } from '../support/own-app.js';

/** Routes of ordinary controllers, which say nothing of access. */
@Controller({ path: 'lessons', version: '1' })
class LessonsController {
  @Get()
  list(): object {
    return { by: this.constructor.name };
  }

  @Post()
  create(): object {
    return { by: this.constructor.name };
  }
}

/** The same routes, open to everybody, with one of its own. */
@Public()
@Controller({ path: 'open-lessons', version: '1' })
class OpenLessonsController extends LessonsController {
  @Get('first')
  first(): object {
    return { first: true };
  }
}

class ShortSupplierDto extends PickOf(Supplier, ['id', 'name']) {}

/** An older version of a resource, which shows less. */
@Resource({ ...SUPPLIERS, version: '1', of: ShortSupplierDto })
class OldSuppliersController extends SuppliersController {}

@Module({
  imports: [TypeOrmModule.forFeature([Supplier]), MigrationsModule.of(CreateSuppliers1795300000000)],
  controllers: [LessonsController, OpenLessonsController, SuppliersController, OldSuppliersController],
  providers: [SuppliersService],
})
class InheritingModule {}

describe('a controller that extends another', () => {
  let app: OwnApp;
  beforeAll(async () => {
    app = await startInProcess({}, undefined, [InheritingModule]);
  });
  afterAll(() => app.stop());

  it('has its routes, and what it says of access is its own', async () => {
    expect((await app.anonymous.get('/api/v1/lessons')).status).toBe(401);
    const viewer = await app.as('viewer');
    expect((await viewer.get('/api/v1/lessons')).body).toEqual({ by: 'LessonsController' });
    expect((await viewer.post('/api/v1/lessons', undefined)).status).toBe(403);
    expect((await app.anonymous.get('/api/v1/open-lessons')).body).toEqual({ by: 'OpenLessonsController' });
    expect((await app.anonymous.get('/api/v1/open-lessons/first')).status).toBe(200);
    expect((await app.anonymous.post('/api/v1/open-lessons', undefined)).status).toBe(201);
  });

  it('serves a resource in another version, with validators of its own', async () => {
    const admin = await app.as('admin');
    const created = await admin.post('/api/v2/suppliers', { name: 'Fjord Wood', country: 'Norway' });
    const { id } = created.body as { id: number };
    const [old, current] = await Promise.all([1, 2].map((v) => admin.get(`/api/v${v}/suppliers/${id}`)));
    expect(old?.body).toEqual({ id, name: 'Fjord Wood' });
    expect(current?.body).toMatchObject({ country: 'Norway' });
    const etag = old?.headers.get('etag') ?? '';
    expect(etag).not.toBe(current?.headers.get('etag'));
    expect(
      (await admin.patch(`/api/v1/suppliers/${id}`, { name: 'Fjord' }, { 'if-match': etag })).status,
    ).toBe(200);
    expect((await admin.get(`/api/v2/suppliers/${id}`)).body).toMatchObject({ name: 'Fjord' });
  });

  it('is refused at start where it says of a resource what @Resource() says', async () => {
    @Public()
    @Resource({ ...SUPPLIERS, version: '1', of: ShortSupplierDto })
    class OpenSuppliersController extends SuppliersController {}
    @Module({
      imports: [TypeOrmModule.forFeature([Supplier])],
      controllers: [OpenSuppliersController],
      providers: [SuppliersService],
    })
    class OpenSuppliersModule {}
    await expect(startInProcess({}, undefined, [OpenSuppliersModule])).rejects.toThrow(
      'OpenSuppliersController: say it in @Resource()',
    );
  });
});
