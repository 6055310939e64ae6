import { Body, Delete, Get, Patch, Post, Put } from '@nestjs/common';

import { Dto } from '../fields/field.js';
import { ListQuery } from '../lists/list-parameters.decorator.js';
import { BelongsTo } from './belongs-to.decorator.js';
import { Preconditions } from './preconditions.decorator.js';
import { PathKey } from './path-id.decorator.js';
import type { Key, VersionedRow } from './resource-repository.js';
import { ResourceService } from './resource.service.js';
import { Transaction } from './transaction.decorator.js';

/** The classes of the bodies that the routes of a resource take. */
export interface Bodies<Row extends object> {
  readonly create: Dto<Partial<Row>>;
  readonly replace: Dto<Partial<Row>>;
  readonly patch: Dto<Partial<Row>>;
}

/**
 * The routes that read a resource, its list and one row, for a controller to inherit.
 *
 * @param service the class that is injected, as `this.service`
 * @param parameter of the path, that names a row
 * @example
 * @Resource({ ...ORDERS, version: '1', of: OrderDto })
 * export class OrdersController extends ReadRoutesOf(OrdersService) {}
 */
export function ReadRoutesOf<Row extends VersionedRow, Service extends ResourceService<Row>>(
  service: new (...dependencies: never[]) => Service & ResourceService<Row>,
  parameter = 'id',
) {
  class ReadRoutes {
    constructor(protected readonly service: Service) {}

    @Get()
    list(@ListQuery() query: ListQuery) {
      return this.service.list(query);
    }

    @Get(`:${parameter}`)
    get(@PathKey() key: Key<Row>) {
      return this.service.get(key);
    }
  }
  // What TypeScript would tell if the type were written there.
  Reflect.defineMetadata('design:paramtypes', [service], ReadRoutes);
  return ReadRoutes;
}

/**
 * The six routes of a resource, for a controller to inherit. It overrides those that differ, decorators and all; one
 * that has fewer routes declares them itself.
 *
 * @param service the class that is injected, as `this.service`
 * @param parameter of the path, that names a row
 * @example
 * @Resource({ ...SUPPLIERS, version: '2', of: SupplierDto })
 * export class SuppliersController extends RoutesOf(SuppliersService, {
 *   create: SupplierBodyDto,
 *   replace: SupplierBodyDto,
 *   patch: PatchSupplierDto,
 * }) {}
 */
export function RoutesOf<Row extends VersionedRow, Service extends ResourceService<Row>>(
  service: new (...dependencies: never[]) => Service & ResourceService<Row>,
  bodies: Bodies<Row>,
  parameter = 'id',
) {
  class Routes extends ReadRoutesOf<Row, Service>(service, parameter) {
    @Post()
    create(@Body() body: Partial<Row>, @BelongsTo() belongsTo: object, @Transaction() tx: Transaction) {
      return this.service.create({ ...body, ...belongsTo }, tx);
    }

    @Put(`:${parameter}`)
    replace(
      @PathKey() key: Key<Row>,
      @Body() body: Partial<Row>,
      @Preconditions() preconditions: Preconditions,
    ) {
      return this.service.replace(key, body, preconditions);
    }

    @Patch(`:${parameter}`)
    patch(
      @PathKey() key: Key<Row>,
      @Body() body: Partial<Row>,
      @Preconditions() preconditions: Preconditions,
    ) {
      return this.service.patch(key, body, preconditions);
    }

    @Delete(`:${parameter}`)
    remove(@PathKey() key: Key<Row>, @Preconditions() preconditions: Preconditions) {
      return this.service.remove(key, preconditions);
    }
  }
  // What TypeScript would tell if the types were written there.
  const types: Record<string, unknown[]> = {
    create: [bodies.create, Object, Object],
    replace: [Object, bodies.replace, Object],
    patch: [Object, bodies.patch, Object],
  };
  for (const [name, parameters] of Object.entries(types))
    Reflect.defineMetadata('design:paramtypes', parameters, Routes.prototype, name);
  return Routes;
}
