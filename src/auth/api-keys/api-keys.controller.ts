import { Body, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation } from '@nestjs/swagger';

import { Caller, ofSelf } from '../../access/caller.decorator.js';
import { CALLER, GrantLinks, hiddenWith } from '../../access/grant-links.js';
import type { Principal } from '../../access/principal.js';
import { ListQuery } from '../../lists/list-parameters.decorator.js';
import { Preconditions } from '../../resources/preconditions.decorator.js';
import { Fails } from '../../resources/openapi/fails.decorator.js';
import { PathKey } from '../../resources/path-id.decorator.js';
import { Resource } from '../../resources/resource.js';
import { Transaction } from '../../resources/transaction.decorator.js';
import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto, PatchApiKeyDto } from './api-key.dto.js';
import { ApiKey } from './api-key.entity.js';
import { API_KEY_LIMIT_REACHED } from './api-key.errors.js';
import { API_KEYS } from './api-key.resource.js';
import { ApiKeysService } from './api-keys.service.js';

/** Their own, and those of others for who manages users. */
const OWN = ofSelf('userId', 'manage_users');

@Resource({ ...API_KEYS, version: ['1', '2'], of: ApiKeyDto, collection: 'API-keys' })
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @ApiOperation({ summary: 'List your API keys; with `manage_users`, those of all users' })
  list(@ListQuery(OWN) query: ListQuery) {
    return this.keys.list(query);
  }

  @Get(':id')
  get(@PathKey(OWN) key: PathKey<ApiKey>) {
    return this.keys.get(key);
  }

  @Post()
  @GrantLinks(hiddenWith('user', 'userId', CALLER))
  @ApiOperation({ summary: 'Create an API key, which only this response shows' })
  @ApiCreatedResponse({
    type: CreatedApiKeyDto,
    description: 'The key that was created, with its secret, which is shown only here.',
  })
  @Fails(API_KEY_LIMIT_REACHED)
  create(@Body() body: CreateApiKeyDto, @Caller() caller: Principal, @Transaction() tx: Transaction) {
    return this.keys.create(body, caller.userId as number, tx);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Rename an API key or change its permissions' })
  patch(
    @PathKey(OWN) key: PathKey<ApiKey>,
    @Body() body: PatchApiKeyDto,
    @Preconditions() preconditions: Preconditions,
    @Caller() caller: Principal,
  ) {
    return this.keys.patch(key, body, preconditions, caller);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Revoke an API key' })
  remove(
    @PathKey(OWN) key: PathKey<ApiKey>,
    @Preconditions() preconditions: Preconditions,
    @Caller() caller: Principal,
  ) {
    return this.keys.remove(key, preconditions, caller);
  }
}
