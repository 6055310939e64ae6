import { FastifyRequest } from 'fastify';

import { Database } from '../database/database.js';
import { ApiError } from '../http/errors/api-error.js';
import { isNarrowed, ListQuery } from '../lists/list-query.js';
import { valueOf } from './path-id.decorator.js';
import { PathName } from './path-names.js';
import { Parent, ResourceOptions } from './resource.js';
import { Key, ResourceRepository, VersionedRow } from './resource-repository.js';

/**
 * Tells the empty list of a parent from that of one that does not exist, or of which the caller may know nothing.
 */
export class ParentCheck {
  private readonly rows: ResourceRepository<VersionedRow>;
  private readonly parents: ResourceRepository<VersionedRow>;

  constructor(
    resource: ResourceOptions,
    private readonly parent: Parent,
    private readonly names: readonly PathName[],
    database: Database,
  ) {
    // Of any entity: only what all rows have is read of them.
    this.rows = new ResourceRepository(database, resource as never);
    this.parents = new ResourceRepository(database, parent.of as never);
  }

  /** @throws ApiError the 404 of the parent */
  async assertThere(query: ListQuery, request: FastifyRequest): Promise<void> {
    const named = Object.fromEntries(this.names.map((name) => [name.property, valueOf(name, request)]));
    if (!isNarrowed(query)) {
      const { [this.parent.property]: id, ...others } = named;
      await this.parents.get({ ...others, id } as Key<VersionedRow>);
    } else if (!(await this.rows.hasAny(query, named))) throw new ApiError(this.parent.of.notFound);
  }
}
