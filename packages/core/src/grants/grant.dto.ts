import { ApiSchema } from '@nestjs/swagger';

import { BodyOf, PickOf } from '../fields/derive.js';
import { AccessGrant } from './grant.entity.js';

const WRITABLE_FIELDS = [
  'resourceType',
  'resourceId',
  'userId',
  'apiKeyId',
  'permissions',
  'effect',
] as const;

export class AccessGrantDto extends PickOf(AccessGrant, ['id', ...WRITABLE_FIELDS, 'createdAt']) {}

const ID_SCHEMA = { type: 'integer' };
const NULL_SCHEMA = { type: 'null' };

// `@ApiSchema()` adds these members to the generated schema. `oneOf` would be stricter than `anyOf`, but OpenAPI
// linters require a discriminator for `oneOf`.
const CREATE_GRANT_SCHEMA = {
  name: 'CreateAccessGrant',
  description: 'Send either `userId` or `apiKeyId`, not both.',
  anyOf: [
    { type: 'object', required: ['userId'], properties: { userId: ID_SCHEMA, apiKeyId: NULL_SCHEMA } },
    { type: 'object', required: ['apiKeyId'], properties: { userId: NULL_SCHEMA, apiKeyId: ID_SCHEMA } },
  ],
};

@ApiSchema(CREATE_GRANT_SCHEMA)
export class CreateAccessGrantDto extends BodyOf(AccessGrantDto, WRITABLE_FIELDS) {}
