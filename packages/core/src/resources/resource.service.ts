import { Caller } from '../access/caller.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { WritePreconditions } from '../http/caching/preconditions.js';
import { Facets } from '../lists/facets.js';
import { ParsedListQuery } from '../lists/list-query.js';
import { Page } from '../lists/page.js';
import { ResourceRepository } from './resource-repository.js';
import { Key, VersionedRow } from './resource.js';

/**
 * Provides the reads of a resource: `list`, `facets` and `get`.
 *
 * Extend `ResourceService` instead if clients also create, replace, patch or remove rows.
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
 * Provides the operations of a resource, so that a feature implements only its own rules. Extend it, and override the
 * operations that have rules. If you override `create`, `patch` or `remove`, pass on the transaction, because batches
 * need it.
 *
 * Extend `ResourceReads` instead if clients do not write rows directly, but by commands such as "close the ticket".
 * @example
 * @Injectable()
 * export class ProductsService extends ResourceService<Product> { … }
 */
export class ResourceService<Row extends VersionedRow> extends ResourceReads<Row> {
  /** @param caller is required if the resource has `rows`. The new row gets the values of the caller's rows */
  create(values: Partial<Row>, tx: SqlExecutor, caller?: Caller): Promise<Row> {
    return this.repository.insert(values, tx, caller?.scope);
  }

  /** Writes the given values. It does not reset other columns, because they may be fields of another version of the API. */
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
