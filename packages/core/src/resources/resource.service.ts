import { Caller } from '../access/caller.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { WritePreconditions } from '../http/caching/preconditions.js';
import { Facets } from '../lists/facets.js';
import { ParsedListQuery, Page } from '../lists/list-query.js';
import { ResourceRepository } from './resource-repository.js';
import { Key, VersionedRow } from './resource.js';

/**
 * The reads of a resource. Extend it if the writes of the resource have rules of their own; otherwise extend
 * `ResourceService`.
 * @example
 * @Injectable()
 * export class OrdersService extends ResourceReads<Order> { … }
 */
export class ResourceReads<Row extends VersionedRow> {
  constructor(protected readonly repository: ResourceRepository<Row>) {}

  list(query: ParsedListQuery): Promise<Page<Row>> {
    return this.repository.list(query);
  }

  facets(query: ParsedListQuery): Promise<Facets> {
    return this.repository.facets(query);
  }

  get(key: Key<Row>, caller: Caller): Promise<Row> {
    return this.repository.get(key, caller.scope);
  }
}

/**
 * The operations of a resource, one for each verb. Extend it, and override the operations that have rules of their own.
 * @example
 * @Injectable()
 * export class ProductsService extends ResourceService<Product> { … }
 */
export class ResourceService<Row extends VersionedRow> extends ResourceReads<Row> {
  create(values: Partial<Row>, tx: SqlExecutor): Promise<Row> {
    return this.repository.insert(values, tx);
  }

  /** Writes the given values. Other values stay, because another version of the API may have more fields. */
  replace(
    key: Key<Row>,
    values: Partial<Row>,
    caller: Caller,
    preconditions: WritePreconditions,
  ): Promise<Row> {
    return this.repository.update(key, values, caller.scope, preconditions);
  }

  patch(
    key: Key<Row>,
    changes: Partial<Row>,
    caller: Caller,
    preconditions: WritePreconditions,
    tx?: SqlExecutor,
  ): Promise<Row> {
    return this.repository.update(key, changes, caller.scope, preconditions, tx);
  }

  remove(key: Key<Row>, caller: Caller, preconditions: WritePreconditions, tx?: SqlExecutor): Promise<void> {
    return this.repository.remove(key, caller.scope, preconditions, tx);
  }
}
