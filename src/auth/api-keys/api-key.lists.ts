import { defineList, equalsId } from '../../lists/list-definition.js';
import { ApiKeyEntity } from './api-key.entity.js';

export const apiKeyList = defineList(ApiKeyEntity, {
  name: 'api-keys',
  filters: { userId: equalsId('userId') },
});
