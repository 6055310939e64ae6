import { Injectable } from '@nestjs/common';

import { Effect, Grant, ResourceType } from '../access/grants.js';
import { parsePermissions } from '../access/permission-list.js';
import { Database } from '../database/database.js';
import { UNPROCESSABLE_ENTITY } from '../http/errors/http.errors.js';
import { ResourceRepository, ResourceRow } from '../resources/resource-repository.js';
import { GrantEntity } from './grant.entity.js';
import { ACCESS_GRANT_NOT_FOUND } from './grant.errors.js';

export interface GrantRow extends ResourceRow {
  readonly resourceType: ResourceType;
  readonly resourceId: number;
  readonly userId: number | null;
  readonly apiKeyId: number | null;
  /** As `permission-list.ts` writes them. */
  readonly permissions: string;
  readonly effect: Effect;
}

@Injectable()
export class GrantsRepository extends ResourceRepository<GrantRow> {
  constructor(database: Database) {
    super(database, GrantEntity, {
      notFound: ACCESS_GRANT_NOT_FOUND,
      constraints: {
        access_grants_user_id_fkey: UNPROCESSABLE_ENTITY,
        access_grants_api_key_id_fkey: UNPROCESSABLE_ENTITY,
      },
    });
  }

  async isAny(): Promise<boolean> {
    const text = 'select 1 from access_grants limit 1';
    return (await this.database.query({ text, values: [] })).length > 0;
  }

  /** The grants of a user and of an API key, with which a decision is made. */
  async findOf(userId: number | null, keyId: number | null): Promise<Grant[]> {
    const text = `
      select resource_type as "resourceType", resource_id as "resourceId", permissions, effect,
        api_key_id is not null as "isOfKey"
      from access_grants where user_id = $1 or api_key_id = $2`;
    const values = [userId, keyId];
    const rows = await this.database.query<Grant & { permissions: string }>({
      text,
      values,
      name: 'grants_of',
    });
    return rows.map((row) => ({ ...row, permissions: parsePermissions(row.permissions) }));
  }
}
