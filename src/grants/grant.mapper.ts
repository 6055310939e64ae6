import { GrantedPermission } from '../access/grants.js';
import { parsePermissions } from '../access/permission-list.js';
import { Representation } from '../resources/representation.js';
import { GrantDto } from './grant.dto.js';
import { GrantRow } from './grants.repository.js';

export function toGrant(row: GrantRow): GrantDto {
  return {
    id: row.id,
    resourceType: row.resourceType,
    resourceId: row.resourceId,
    userId: row.userId,
    apiKeyId: row.apiKeyId,
    permissions: parsePermissions(row.permissions) as GrantedPermission[],
    effect: row.effect,
    createdAt: row.createdAt,
  };
}

export const grantOf = (row: GrantRow): Representation<GrantDto> => new Representation(toGrant(row), row);
