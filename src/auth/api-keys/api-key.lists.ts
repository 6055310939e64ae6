import { defineList, equalsId } from '#src/common/lists/list-definition.js';

export const apiKeyList = defineList({ name: 'api-keys', filters: { userId: equalsId('userId') } });
