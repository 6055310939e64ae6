import { id } from '../../fields/kinds.js';
import { equals } from '../../lists/filters.js';
import { defineList } from '../../lists/list-definition.js';
import { ApiKeyEntity } from './api-key.entity.js';

export const apiKeyList = defineList(ApiKeyEntity, {
  name: 'api-keys',
  filters: { userId: equals('userId', id) },
});
