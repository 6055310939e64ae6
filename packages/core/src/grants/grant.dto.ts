import { ApiSchema } from '@nestjs/swagger';

import { BodyOf, PickOf } from '../fields/derive.js';
import { AccessGrant } from './grant.entity.js';

const GIVEN = ['resourceType', 'resourceId', 'userId', 'apiKeyId', 'permissions', 'effect'] as const;

export class AccessGrantDto extends PickOf(AccessGrant, ['id', ...GIVEN, 'createdAt']) {}

const ID = { type: 'integer', format: 'int32' };
const NONE = { type: 'null' };

// Swagger shows all that it is given. Not `oneOf`: linters want the fields that tell its parts apart required in each.
const SCHEMA = {
  name: 'CreateAccessGrant',
  description: 'Of `userId` and `apiKeyId`, exactly one.',
  anyOf: [
    { type: 'object', required: ['userId'], properties: { userId: ID, apiKeyId: NONE } },
    { type: 'object', required: ['apiKeyId'], properties: { userId: NONE, apiKeyId: ID } },
  ],
};

@ApiSchema(SCHEMA)
export class CreateAccessGrantDto extends BodyOf(AccessGrantDto, GIVEN) {}
