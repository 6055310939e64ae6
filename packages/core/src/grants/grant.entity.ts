import { Check, Entity, ForeignKey, Index } from 'typeorm';

import { type Effect, EFFECTS, GRANTED_PERMISSIONS, type GrantedPermission } from '../access/grants.js';
import { RESOURCE_TYPES, type ResourceType } from '../config/define-access.js';
import { PermissionList } from '../access/permissions.js';
import { accountClass } from '../accounts/account.entity.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { Choice, Id } from '../fields/fields.js';
import { ResourceEntity } from '../resources/resource.entity.js';

/**
 * An exception to the roles. A grant gives one user or one API key permissions on one resource, or denies them.
 *
 * Use the entity to insert grants in seeds and tests. Do not insert grants in a request: administrators create them
 * with `POST /access-grants`, and routes of your own with `GrantsService`.
 * @example
 * await manager.insert(AccessGrant, {
 *   ...{ userId, apiKeyId: null, resourceType: 'product', resourceId: 1 },
 *   ...{ permissions: ['update'], effect: 'allow' },
 * });
 */
@Entity('access_grants')
@Check('access_grants_one_principal', 'num_nonnulls(user_id, api_key_id) = 1')
@Check('access_grants_effect_known', `effect in ('allow', 'deny')`)
@Index('access_grants_user_id', ['userId'])
@Index('access_grants_api_key_id', ['apiKeyId'])
export class AccessGrant extends ResourceEntity {
  @Choice({ of: RESOURCE_TYPES, example: 'product' })
  resourceType: ResourceType;

  @Id({ example: 44 })
  resourceId: number;

  @Id({
    nullable: true,
    description: 'The user to whom the grant applies, or `null` if it applies to an API key.',
  })
  @ForeignKey(accountClass, { onDelete: 'CASCADE' })
  userId: number | null;

  @Id({
    nullable: true,
    description: 'The API key to which the grant applies, or `null` if it applies to a user.',
    example: null,
  })
  @ForeignKey(() => ApiKey, { onDelete: 'CASCADE' })
  apiKeyId: number | null;

  @PermissionList({ of: GRANTED_PERMISSIONS, example: ['read'] })
  permissions: GrantedPermission[];

  @Choice({
    of: EFFECTS,
    description: 'A `deny` overrides an `allow`, and an `allow` overrides the role.',
    example: 'deny',
    column: { length: 5 },
  })
  effect: Effect;
}
