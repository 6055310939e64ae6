import { hiddenWith } from '../../access/grant-links.js';
import { NO_STORE } from '../../http/caching/cache-policy.js';
import { equals } from '../../lists/filters.js';
import { defineList } from '../../lists/list-definition.js';
import { ResourceDefinition } from '../../resources/resource.js';
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
