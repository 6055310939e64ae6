import { denialsOnParent } from '../access/grant-sources.js';
import { rowsOfUsers } from '../access/row-limits.js';
import { NO_STORE } from '../http/caching/cache-policy.js';
import { equals } from '../lists/filters.js';
import { defineList } from '../lists/list-definition.js';
import { ResourceDefinition } from '../resources/resource.js';
import { ApiKey } from './api-key.entity.js';
import { API_KEY_NOT_FOUND } from './api-key.errors.js';

/**
 * Declares the list of API keys. Use it in the controller of your application.
 * @example list(@ListQuery(apiKeyList, { userId: ownRows('manage_users') }) query: ListQuery): Promise<Page<ApiKey>> { … }
 */
export const apiKeyList = defineList(ApiKey, { name: 'api-keys', filters: { userId: equals('userId') } });

/**
 * Declares the resource of API keys. Use it in the controller of your application.
 * @example @Resource({ ...API_KEYS, version: ['1', '2'], responseDto: ApiKeyDto })
 */
export const API_KEYS: ResourceDefinition<ApiKey> = {
  path: 'api-keys',
  description: 'Credentials for programs.',
  entity: ApiKey,
  notFound: API_KEY_NOT_FOUND,
  cache: NO_STORE,
  grants: [denialsOnParent('user', 'userId')],
  rows: rowsOfUsers('userId'),
};
