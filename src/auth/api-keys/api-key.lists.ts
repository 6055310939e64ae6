import { defineList, equalsId } from '../../lists/list-definition.js';

export const apiKeyList = defineList({ name: 'api-keys', filters: { userId: equalsId('userId') } });
