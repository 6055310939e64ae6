import { Delete, Get, Patch, Post } from '@nestjs/common';

import { PERMISSION_DENIED } from '../../access/access.errors.js';
import { Caller, ofSelf } from '../../access/caller.decorator.js';
import { RequirePermission } from '../../access/require-permission.decorator.js';
import type { Principal } from '../../access/principal.js';
import { Cached, NO_STORE } from '../../http/caching/cache-policy.js';
import type { WriteConditions } from '../../http/caching/preconditions.js';
import { ListParameters } from '../../lists/list-parameters.decorator.js';
import type { ListQuery } from '../../lists/list-query.js';
import { pageOf } from '../../lists/list-representation.js';
import { Conditions } from '../../resources/conditions.decorator.js';
import { Idempotent, type Once } from '../../resources/idempotency/once.decorator.js';
import { Answers, AnswersList, AnswersNothing } from '../../resources/openapi/answers.decorator.js';
import { Fails } from '../../resources/openapi/fails.decorator.js';
import { PathId } from '../../resources/path-id.decorator.js';
import { Payload } from '../../resources/payload.decorator.js';
import { Resource } from '../../resources/resource.decorator.js';
import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto, PatchApiKeyDto } from './api-key.dto.js';
import { API_KEY_LIMIT_REACHED, API_KEY_NOT_FOUND } from './api-key.errors.js';
import { apiKeyList } from './api-key.lists.js';
import { apiKeyOf, createdApiKeyOf, toApiKey } from './api-key.mapper.js';
import { ApiKeysService } from './api-keys.service.js';

@Resource({ path: 'api-keys', version: ['1', '2'], of: ApiKeyDto })
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @RequirePermission('read', { orOwner: true })
  @Cached(NO_STORE)
  @AnswersList(ApiKeyDto, 'List your API keys; with `manage_users`, those of all users')
  async list(@ListParameters(apiKeyList, ofSelf('userId', 'manage_users')) query: ListQuery) {
    return pageOf(toApiKey)(await this.keys.list(query));
  }

  @Get(':id')
  @RequirePermission('read', { orOwner: true })
  @Cached(NO_STORE)
  @Answers(200, ApiKeyDto, 'Read an API key')
  @Fails(API_KEY_NOT_FOUND)
  async get(@PathId() id: number, @Caller() caller: Principal) {
    return apiKeyOf(await this.keys.get(id, caller));
  }

  @Post()
  @RequirePermission('create', { orOwner: true })
  @Cached(NO_STORE)
  @Answers(201, CreatedApiKeyDto, 'Create an API key, which only this response shows')
  @Fails(PERMISSION_DENIED, API_KEY_LIMIT_REACHED)
  create(
    @Payload(CreateApiKeyDto, ApiKeyDto) body: CreateApiKeyDto,
    @Caller() caller: Principal,
    @Idempotent() once: Once,
  ) {
    return once(
      async (on) => createdApiKeyOf(await this.keys.create(body, caller, on)),
      (on) => this.keys.admit(body, caller, on),
    );
  }

  @Patch(':id')
  @RequirePermission('update', { orOwner: true })
  @Cached(NO_STORE)
  @Answers(200, ApiKeyDto, 'Rename an API key or change its permissions')
  @Fails(API_KEY_NOT_FOUND)
  async patch(
    @PathId() id: number,
    @Payload(PatchApiKeyDto, ApiKeyDto) body: PatchApiKeyDto,
    @Conditions() conditions: WriteConditions,
    @Caller() caller: Principal,
  ) {
    return apiKeyOf(await this.keys.patch(id, body, conditions, caller));
  }

  @Delete(':id')
  @RequirePermission('delete', { orOwner: true })
  @AnswersNothing('Revoke an API key')
  @Fails(API_KEY_NOT_FOUND)
  async remove(@PathId() id: number, @Conditions() conditions: WriteConditions, @Caller() caller: Principal) {
    await this.keys.remove(id, conditions, caller);
  }
}
