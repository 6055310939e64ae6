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

// Swagger adds these members to the schema. `oneOf` would be stricter, but linters require a discriminator for it.
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
