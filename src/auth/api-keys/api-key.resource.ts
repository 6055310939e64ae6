import { hiddenWith } from '../../access/grant-links.js';
import { NO_STORE } from '../../http/caching/cache-policy.js';
import { equals } from '../../lists/filters.js';
import { defineList } from '../../lists/list-definition.js';
import { ResourceDefinition } from '../../resources/resource.js';
import { assertMayCreate } from './api-key.access.js';
import { ApiKey } from './api-key.entity.js';
import { API_KEY_NOT_FOUND } from './api-key.errors.js';

export const apiKeyList = defineList(ApiKey, {
  name: 'api-keys',
  filters: { userId: equals('userId') },
});

const OWNERS = { orOwner: true } as const;

/** Users have keys of their own, whatever their role; who manages users has everybody's. */
export const API_KEYS: ResourceDefinition<ApiKey> = {
  path: 'api-keys',
  description: 'Credentials for programs.',
  entity: ApiKey,
  notFound: API_KEY_NOT_FOUND,
  list: apiKeyList,
  exampleWhenNew: { id: 101, lastUsedAt: null },
  cache: NO_STORE,
  grants: [hiddenWith('user', 'userId')],
  access: { read: OWNERS, create: { ...OWNERS, assert: assertMayCreate }, update: OWNERS, delete: OWNERS },
};
