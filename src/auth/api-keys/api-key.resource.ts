import { defineList, equals, ResourceDefinition } from '../../core/index.js';
import { hiddenWith, NO_STORE } from '../../core/auth.js';
import { ApiKey } from './api-key.entity.js';
import { API_KEY_NOT_FOUND } from '../auth.errors.js';

export const apiKeyList = defineList(ApiKey, {
  name: 'api-keys',
  filters: { userId: equals('userId') },
});

export const API_KEYS: ResourceDefinition<ApiKey> = {
  path: 'api-keys',
  description: 'Credentials for programs.',
  entity: ApiKey,
  notFound: API_KEY_NOT_FOUND,
  createdExample: { id: 101, lastUsedAt: null },
  cache: NO_STORE,
  grants: [hiddenWith('user', 'userId')],
};
