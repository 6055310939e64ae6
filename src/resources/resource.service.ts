import { Connection } from '../database/connection.js';
import { UNCONDITIONAL, Preconditions } from '../http/caching/preconditions.js';
import { ListQuery } from '../lists/list-query.js';
import { Page } from '../lists/page.js';
import { Key, ResourceRepository, VersionedRow } from './resource-repository.js';

/** The reads of a resource, for services whose writes need to know more than the resource and the body: the caller. */
export class ResourceReads<Row extends VersionedRow> {
  constructor(protected readonly repository: ResourceRepository<Row>) {}

  list(query: ListQuery): Promise<Page<Row>> {
    return this.repository.list(query);
  }

  find(key: Key<Row>): Promise<Row | null> {
    return this.repository.find(key);
  }

  get(key: Key<Row>): Promise<Row> {
    return this.repository.get(key);
  }
}

/**
 * The operations of a resource that has no rules of its own. A service that has some extends it, and overrides what
 * they are about. Errors are those of the repository: the resource's 404, `PRECONDITION_FAILED`, and what a violated
 * constraint stands for.
 */
export class ResourceService<Row extends VersionedRow> extends ResourceReads<Row> {
  /** @param tx the transaction that it takes part in */
  create(values: Partial<Row>, tx?: Connection): Promise<Row> {
    return this.repository.insert(values, tx);
  }

  /**
   * Writes all that is given. What is not stays as it is: another version of the API may know fields that this one does
   * not.
   */
  replace(key: Key<Row>, values: Partial<Row>, preconditions: Preconditions = UNCONDITIONAL): Promise<Row> {
    return this.repository.update(key, values, preconditions);
  }

  patch(key: Key<Row>, changes: Partial<Row>, preconditions: Preconditions = UNCONDITIONAL): Promise<Row> {
    return this.repository.update(key, changes, preconditions);
  }

  remove(key: Key<Row>, preconditions: Preconditions = UNCONDITIONAL): Promise<void> {
    return this.repository.remove(key, preconditions);
  }
}
