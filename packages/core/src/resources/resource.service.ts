import { Caller } from '../access/caller.js';
import { Connection } from '../database/connection.js';
import { Preconditions } from '../http/caching/preconditions.js';
import { Facets } from '../lists/facets.js';
import { ListQuery, Page } from '../lists/list-query.js';
import { ResourceRepository } from './resource-repository.js';
import { Key, VersionedRow } from './resource.js';

/**
 * The reads of a resource, for services whose writes have rules of their own.
 * @example
 * @Injectable()
 * export class OrdersService extends ResourceReads<Order> { … }
 */
export class ResourceReads<Row extends VersionedRow> {
  constructor(protected readonly repository: ResourceRepository<Row>) {}

  list(query: ListQuery): Promise<Page<Row>> {
    return this.repository.list(query);
  }

  facets(query: ListQuery): Promise<Facets> {
    return this.repository.facets(query);
  }

  get(key: Key<Row>, caller: Caller): Promise<Row> {
    return this.repository.get(key, caller.visibility);
  }
}

/**
 * The operations of a resource. A service with rules of its own extends it, and overrides what they are about.
 * @example
 * @Injectable()
 * export class ProductsService extends ResourceService<Product> { … }
 */
export class ResourceService<Row extends VersionedRow> extends ResourceReads<Row> {
  create(values: Partial<Row>, tx: Connection): Promise<Row> {
    return this.repository.insert(values, tx);
  }

  /** Writes all that is given. What is not stays: another version of the API may know fields that this one does not. */
  replace(key: Key<Row>, values: Partial<Row>, caller: Caller, preconditions: Preconditions): Promise<Row> {
    return this.repository.update(key, values, caller.visibility, preconditions);
  }

  patch(
    key: Key<Row>,
    changes: Partial<Row>,
    caller: Caller,
    preconditions: Preconditions,
    tx?: Connection,
  ): Promise<Row> {
    return this.repository.update(key, changes, caller.visibility, preconditions, tx);
  }

  remove(key: Key<Row>, caller: Caller, preconditions: Preconditions, tx?: Connection): Promise<void> {
    return this.repository.remove(key, caller.visibility, preconditions, tx);
  }
}
