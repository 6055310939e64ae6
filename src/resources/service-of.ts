import { Injectable, Type } from '@nestjs/common';

import { Database } from '../database/database.js';
import { ResourceRepository, StoredResource, VersionedRow } from './resource-repository.js';
import { ResourceService } from './resource.service.js';

/**
 * The repository of a resource, to be extended by one with queries of its own.
 *
 * @example
 * @Injectable()
 * export class ProductsRepository extends RepositoryOf(PRODUCTS) { … }
 */
export function RepositoryOf<Row extends VersionedRow>(
  resource: StoredResource<Row>,
): new (database: Database) => ResourceRepository<Row> {
  @Injectable()
  class Repository extends ResourceRepository<Row> {
    constructor(database: Database) {
      super(database, resource);
    }
  }
  return Repository;
}

/**
 * The service of a resource without queries of its own.
 *
 * @example
 * @Injectable()
 * export class SuppliersService extends ServiceOf(SUPPLIERS) {}
 */
export function ServiceOf<Row extends VersionedRow>(
  resource: StoredResource<Row>,
): Type<ResourceService<Row>> {
  @Injectable()
  class Service extends ResourceService<Row> {
    constructor(database: Database) {
      super(new ResourceRepository(database, resource));
    }
  }
  return Service;
}
