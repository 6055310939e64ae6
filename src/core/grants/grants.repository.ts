import { Injectable } from '@nestjs/common';

import { Grant } from '../access/grants.js';
import { PERMISSION_LIST } from '../access/permissions.js';
import { Database } from '../database/database.js';
import { isAnyOf } from '../database/table.js';
import { ResourceRepository } from '../resources/resource-repository.js';
import { AccessGrant } from './grant.entity.js';
import { ACCESS_GRANTS } from './grant.resource.js';

@Injectable()
export class GrantsRepository extends ResourceRepository<AccessGrant> {
  constructor(database: Database) {
    super(database, ACCESS_GRANTS);
  }

  async isAny(): Promise<boolean> {
    const text = 'select 1 from access_grants limit 1';
    return (await this.database.query({ text, values: [] })).length > 0;
  }

  /** The grants of users and, by their negative ids, of API keys. */
  async findOf(grantees: readonly number[]): Promise<Map<number, Grant[]>> {
    const text = `
      select coalesce(user_id, -api_key_id) as grantee, resource_type as "resourceType", effect,
        ${this.table.column('resourceId').selected}, ${PERMISSION_LIST.select('permissions')} as permissions,
        api_key_id is not null as "isOfKey"
      from access_grants where ${isAnyOf('user_id', '$1', 'int')} or ${isAnyOf('api_key_id', '$2', 'int')}`;
    const values = [grantees, grantees.map((id) => -id)];
    const grants = await this.database.query<Grant & { grantee: number }>({
      text,
      values,
      name: 'grants_of',
    });
    const found = new Map<number, Grant[]>(grantees.map((id) => [id, []]));
    for (const grant of grants) found.get(grant.grantee)?.push(grant);
    return found;
  }
}
