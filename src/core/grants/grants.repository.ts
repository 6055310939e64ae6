import { Injectable } from '@nestjs/common';

import { Grant } from '../access/grants.js';
import { PERMISSION_LIST } from '../access/permissions.js';
import { Database } from '../database/database.js';
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

  /** The grants of a user and of an API key, with which a decision is made. */
  findOf(userId: number | null, keyId: number | null): Promise<Grant[]> {
    const text = `
      select resource_type as "resourceType", ${this.table.column('resourceId').selected}, effect,
        ${PERMISSION_LIST.select('permissions')} as permissions, api_key_id is not null as "isOfKey"
      from access_grants where user_id = $1 or api_key_id = $2`;
    return this.database.query<Grant>({ text, values: [userId, keyId], name: 'grants_of' });
  }
}
