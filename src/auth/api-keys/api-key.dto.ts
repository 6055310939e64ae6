import { ApiSchema } from '@nestjs/swagger';

import { type Permission, PERMISSIONS } from '../../access/permissions.js';
import { PatchOf } from '../../fields/derive.js';
import { Choices, Id, Text, Timestamp } from '../../fields/fields.js';

const NAME = { max: 200, example: 'Nightly export' };
const PERMISSIONS_FIELD = {
  of: PERMISSIONS,
  min: 1,
  description: 'What the key may do, as far as its owner may do it at the time.',
  example: ['read'],
};

@ApiSchema({ name: 'ApiKey' })
export class ApiKeyDto {
  @Id()
  id: number;

  @Id({ description: 'The owner, on whose behalf the key acts.' })
  userId: number;

  @Text(NAME)
  name: string;

  @Choices(PERMISSIONS_FIELD)
  permissions: Permission[];

  @Text({ max: 6, example: 'pX3_aQ', description: 'The first characters of the key.' })
  hint: string;

  @Timestamp({ nullable: true, description: 'Accurate to a minute; `null` if the key has never been used.' })
  lastUsedAt: string | null;

  @Timestamp()
  createdAt: string;

  @Timestamp()
  updatedAt: string;
}

@ApiSchema({ name: 'CreatedApiKey' })
export class CreatedApiKeyDto extends ApiKeyDto {
  @Text({
    max: 43,
    description: 'The value for the header `X-API-Key`. It is shown only in this response.',
    example: 'pX3_aQ0rN2bLwq9uYv6sTzM1cJ8kHdEfGiOoRlUxWyA',
  })
  key: string;
}

@ApiSchema({ name: 'CreateApiKey' })
export class CreateApiKeyDto {
  @Text(NAME)
  name: string;

  @Choices({ ...PERMISSIONS_FIELD, default: ['read'] })
  permissions: Permission[];
}

@ApiSchema({ name: 'PatchApiKey' })
export class PatchApiKeyDto extends PatchOf(CreateApiKeyDto) {}
