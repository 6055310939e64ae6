import { Body, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation } from '@nestjs/swagger';
import {
  ApiErrorResponse,
  BeforeReplay,
  Caller,
  CALLER,
  CurrentUser,
  GrantSources,
  ListQuery,
  Page,
  ParseIdPipe,
  Preconditions,
  RequirePermission,
  Resource,
  Transaction,
} from '@plinth/core';
import {
  API_KEY_LIMIT_REACHED,
  API_KEYS,
  ApiKey,
  apiKeyList,
  ApiKeysService,
  assertMayCreateKey,
  CreatedApiKey,
  denialsOnParent,
  ownRows,
} from '@plinth/core/auth';

import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto, PatchApiKeyDto } from './api-key.dto.js';

/** Users manage their own keys, whatever their role; callers with `manage_users` manage the keys of all users. */
@Resource({ ...API_KEYS, version: ['1', '2'], responseDto: ApiKeyDto, collection: 'API-keys' })
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @RequirePermission('read', { ownerField: true })
  @ApiOperation({ summary: 'List your API keys or, with `manage_users`, the keys of all users' })
  list(@ListQuery(apiKeyList, { userId: ownRows('manage_users') }) query: ListQuery): Promise<Page<ApiKey>> {
    return this.keys.list(query);
  }

  @Get(':id')
  @RequirePermission('read', { ownerField: true })
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<ApiKey> {
    return this.keys.get(id, caller);
  }

  @Post()
  @RequirePermission('create', { ownerField: true })
  @GrantSources(denialsOnParent('user', 'userId', CALLER))
  @BeforeReplay(assertMayCreateKey)
  @ApiOperation({
    summary: 'Create an API key',
    description:
      'Programs send the `key` in the header `X-API-Key`. Store it now: no later response shows it. A key can have any of ' +
      'your permissions. If you lose a permission, the key loses it too.',
  })
  @ApiCreatedResponse({
    type: CreatedApiKeyDto,
    description: 'The created API key, with its `key`, which no other response shows.',
  })
  @ApiErrorResponse(API_KEY_LIMIT_REACHED)
  create(
    @Body() body: CreateApiKeyDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<CreatedApiKey> {
    return this.keys.create(body, caller, tx);
  }

  @Patch(':id')
  @RequirePermission('update', { ownerField: true })
  @ApiOperation({ summary: 'Rename an API key or change its permissions' })
  patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchApiKeyDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<ApiKey> {
    return this.keys.patch(id, body, caller, preconditions);
  }

  @Delete(':id')
  @RequirePermission('delete', { ownerField: true })
  @ApiOperation({
    summary: 'Revoke an API key',
    description: 'The next request with the key is refused.',
  })
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.keys.remove(id, caller, preconditions);
  }
}
