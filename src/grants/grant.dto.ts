import { ApiSchema } from '@nestjs/swagger';

import {
  type Effect,
  EFFECTS,
  GRANTED_PERMISSIONS,
  type GrantedPermission,
  RESOURCE_TYPES,
  type ResourceType,
} from '../access/grants.js';
import { Choice, Choices, Id, Timestamp } from '../fields/fields.js';

const TYPE = { of: RESOURCE_TYPES, example: 'product' };
const PERMISSIONS = { of: GRANTED_PERMISSIONS, min: 1, example: ['read'] };
const EFFECT = {
  of: EFFECTS,
  description: 'A deny beats an allow, an allow beats the role.',
  example: 'deny',
};
const USER = { nullable: true, description: 'Whom it is about; null: an API key.' };
const KEY = { nullable: true, description: 'Which API key it is about; null: a user.', example: null };

@ApiSchema({ name: 'AccessGrant' })
export class GrantDto {
  @Id()
  id: number;

  @Choice(TYPE)
  resourceType: ResourceType;

  @Id()
  resourceId: number;

  @Id(USER)
  userId: number | null;

  @Id(KEY)
  apiKeyId: number | null;

  @Choices(PERMISSIONS)
  permissions: GrantedPermission[];

  @Choice(EFFECT)
  effect: Effect;

  @Timestamp()
  createdAt: string;
}

@ApiSchema({ name: 'CreateAccessGrant', description: 'Of `userId` and `apiKeyId`, exactly one.' })
export class CreateGrantDto {
  @Choice(TYPE)
  resourceType: ResourceType;

  @Id()
  resourceId: number;

  @Id({ ...USER, default: null })
  userId: number | null;

  @Id({ ...KEY, default: null })
  apiKeyId: number | null;

  @Choices(PERMISSIONS)
  permissions: GrantedPermission[];

  @Choice(EFFECT)
  effect: Effect;
}
