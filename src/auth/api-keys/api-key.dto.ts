import { BodyOf, PatchOf, PickOf, Text } from '@plinth/core';
import { ApiKey } from '@plinth/core/auth';

export class ApiKeyDto extends PickOf(ApiKey, [
  'id',
  'userId',
  'name',
  'permissions',
  'hint',
  'lastUsedAt',
  'createdAt',
  'updatedAt',
]) {}

export class CreatedApiKeyDto extends ApiKeyDto {
  @Text({
    max: 43,
    description: 'The value of the header `X-API-Key`. Only this response shows it.',
    example: 'pX3_aQ0rN2bLwq9uYv6sTzM1cJ8kHdEfGiOoRlUxWyA',
  })
  key: string;
}

export class CreateApiKeyDto extends BodyOf(CreatedApiKeyDto, ['name', 'permissions'], {
  name: { example: 'Weekly export' },
  permissions: { default: ['read'] },
}) {}

export class PatchApiKeyDto extends PatchOf(CreateApiKeyDto) {}
