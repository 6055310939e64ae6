import { denialsOnParent } from '../access/grant-sources.js';
import { NO_STORE } from '../http/caching/cache-policy.js';
import { equals } from '../lists/filters.js';
import { defineList } from '../lists/list-definition.js';
import { ResourceDefinition } from '../resources/resource.js';
import { ApiKey } from './api-key.entity.js';
import { API_KEY_NOT_FOUND } from './api-key.errors.js';

/** The list of API keys, for `@ListQuery()` in the controller of an application. */
export const apiKeyList = defineList(ApiKey, { name: 'api-keys', filters: { userId: equals('userId') } });

/** The resource of API keys, for `@Resource()` of the controller of an application. */
export const API_KEYS: ResourceDefinition<ApiKey> = {
  path: 'api-keys',
  description: 'Credentials for programs.',
  entity: ApiKey,
  notFound: API_KEY_NOT_FOUND,
  cache: NO_STORE,
  grants: [denialsOnParent('user', 'userId')],
};
