import { ApiSchema } from '@nestjs/swagger';

import { BodyOf, PickOf } from '../fields/derive.js';
import { ExactlyOneOf } from '../resources/openapi/answers.decorator.js';
import { AccessGrant } from './grant.entity.js';

const GIVEN = ['resourceType', 'resourceId', 'userId', 'apiKeyId', 'permissions', 'effect'] as const;

export class AccessGrantDto extends PickOf(AccessGrant, ['id', ...GIVEN, 'createdAt']) {}

@ApiSchema({ name: 'CreateAccessGrant', description: 'Of `userId` and `apiKeyId`, exactly one.' })
@ExactlyOneOf('userId', 'apiKeyId')
export class CreateAccessGrantDto extends BodyOf(AccessGrantDto, GIVEN) {}
