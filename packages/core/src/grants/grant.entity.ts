import { ApiSchema } from '@nestjs/swagger';
import { Check, Entity, ForeignKey, Index } from 'typeorm';

import { type Effect, EFFECTS, GRANTED_PERMISSIONS, type GrantedPermission } from '../access/grants.js';
import { RESOURCE_TYPES, type ResourceType } from '../config/define-access.js';
import { PermissionList } from '../access/permissions.js';
import { accountClass } from '../accounts/account.entity.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { BodyOf, PickOf } from '../fields/derive.js';
import { Choice, Id } from '../fields/fields.js';
import { ResourceEntity } from '../resources/resource.entity.js';

/**
 * A permission for one user or key on one resource, allowed or denied whatever the role says.
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

  @Id({ nullable: true, description: 'The user that it is about; null if that is an API key.' })
  @ForeignKey(accountClass, { onDelete: 'CASCADE' })
  userId: number | null;

  @Id({ nullable: true, description: 'The API key that it is about; null if that is a user.', example: null })
  @ForeignKey(() => ApiKey, { onDelete: 'CASCADE' })
  apiKeyId: number | null;

  @PermissionList({ of: GRANTED_PERMISSIONS, example: ['read'] })
  permissions: GrantedPermission[];

  @Choice({
    of: EFFECTS,
    description: 'A deny beats an allow, an allow beats the role.',
    example: 'deny',
    column: { length: 5 },
  })
  effect: Effect;
}

const WRITABLE_FIELDS = [
  'resourceType',
  'resourceId',
  'userId',
  'apiKeyId',
  'permissions',
  'effect',
] as const;

export class AccessGrantDto extends PickOf(AccessGrant, ['id', ...WRITABLE_FIELDS, 'createdAt']) {}

const ID_SCHEMA = { type: 'integer', format: 'int32' };
const NULL_SCHEMA = { type: 'null' };

// Swagger shows all that it is given. Not `oneOf`: linters want the fields that tell its parts apart required in each.
const CREATE_GRANT_SCHEMA = {
  name: 'CreateAccessGrant',
  description: 'Of `userId` and `apiKeyId`, exactly one.',
  anyOf: [
    { type: 'object', required: ['userId'], properties: { userId: ID_SCHEMA, apiKeyId: NULL_SCHEMA } },
    { type: 'object', required: ['apiKeyId'], properties: { userId: NULL_SCHEMA, apiKeyId: ID_SCHEMA } },
  ],
};

@ApiSchema(CREATE_GRANT_SCHEMA)
export class CreateAccessGrantDto extends BodyOf(AccessGrantDto, WRITABLE_FIELDS) {}
